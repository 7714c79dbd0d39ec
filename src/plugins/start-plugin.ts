import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Log, ToolDefinition } from "../core/index.ts";
import type { FoundPlugin } from "./find-plugins.ts";
import { importEdition } from "./import-edition.ts";
import type { Operation } from "./run-operation.ts";
import { toTool } from "./operation-tool.ts";
import { settingsFor } from "./plugin-settings.ts";
import { BrokenPlugin } from "./problem.ts";
import { createRunningCalls, type RunningCalls } from "./running-calls.ts";

/** What a plugin's code gives, by its default export or by the function that this is. */
export interface PluginInstance {
  operations: Record<string, Operation>;
  /** Lets go of what it holds; has three seconds. */
  shutdown?(): void | Promise<void>;
}

/** What a plugin that is a function is called with, once. */
export interface PluginSetup<Settings = Record<string, unknown>> {
  /** What it is set to, with the defaults of its `settingsSchema`. */
  settings: Readonly<Settings>;
  /** A folder of its own that outlives restarts; made when the plugin first asks for it. */
  readonly dataDir: string;
  log: Log;
}

/** A plugin that runs. */
export interface LoadedPlugin extends FoundPlugin {
  instance: PluginInstance;
  tools: ToolDefinition[];
  running: RunningCalls;
}

/** Imports a plugin's code, calls it where it is a function, and checks what it gives. */
export async function startPlugin(
  found: FoundPlugin,
  options: {
    settings: Record<string, unknown>;
    pluginsDataDir: string;
    log: Log;
    edition: number;
  },
): Promise<LoadedPlugin> {
  const { manifest, folder, entry } = found;
  const settings = settingsFor(manifest, options.settings);
  const module = await importEdition(folder, entry, options.edition);
  const setup: PluginSetup = {
    settings,
    get dataDir() {
      const folder = join(options.pluginsDataDir, manifest.id);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return folder;
    },
    log: logFor(manifest.id, options.log),
  };
  const given: unknown =
    typeof module.default === "function"
      ? await (module.default as (setup: PluginSetup) => unknown)(setup)
      : module.default;
  const instance = checkInstance(
    given,
    manifest.operations.map(({ id }) => id),
  );
  const running = createRunningCalls();
  const tools = manifest.operations.map((operation) =>
    toTool(manifest, operation, {
      code: (args, ctx) => instance.operations[operation.id]?.(args, ctx),
      calls: running,
      log: options.log,
    }),
  );
  return { ...found, instance, tools, running };
}

function checkInstance(given: unknown, ids: string[]): PluginInstance {
  if (!isObject(given) || !isObject(given["operations"])) {
    throw new BrokenPlugin(
      "Its default export must be { operations }, or a function that returns it.",
    );
  }
  const { operations, shutdown } = given;
  for (const id of ids) {
    if (!Object.hasOwn(operations, id) || typeof operations[id] !== "function") {
      throw new BrokenPlugin(`Its manifest names the operation "${id}", but its code has none.`);
    }
  }
  for (const id of Object.keys(operations)) {
    if (!ids.includes(id)) {
      throw new BrokenPlugin(
        `Its code has the operation "${id}", but its manifest does not name it.`,
      );
    }
  }
  if (shutdown !== undefined && typeof shutdown !== "function") {
    throw new BrokenPlugin("Its shutdown must be a function.");
  }
  return given as unknown as PluginInstance;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function logFor(plugin: string, log: Log): Log {
  return {
    info: (details, message) => log.info({ ...details, plugin }, message),
    warn: (details, message) => log.warn({ ...details, plugin }, message),
    error: (details, message) => log.error({ ...details, plugin }, message),
  };
}
