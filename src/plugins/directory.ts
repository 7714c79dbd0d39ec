import type { Durability, Log, ToolDefinition } from "../core/index.ts";
import type { Presentation } from "../protocol/index.ts";
import { type OperationManifest, type PluginManifest, toolNameOf } from "./manifest.ts";
import type { PluginProblem } from "./problem.ts";
import type { LoadedPlugin } from "./start-plugin.ts";
import { within } from "./within.ts";

type JsonSchema = Record<string, unknown>;

/** One plugin, as `GET /api/plugins` shows it. A type, so that it may stand where more keys may. */
type PluginRecord = {
  id: string;
  version: string;
  description?: string;
  settingsSchema?: JsonSchema;
  operations: {
    id: string;
    summary: string;
    inputSchema: JsonSchema;
    outputSchema?: JsonSchema;
    toolName: string;
    durable: Durability;
    presentation?: Presentation;
    timeoutMs?: number;
  }[];
};

/** What became of a plugin whose folder has changed, as a sentence. */
export interface PluginChange {
  plugin: string;
  change: "loaded" | "removed" | "kept" | "skipped";
  message: string;
}

/** The plugins that a server has, and why it does not have others. */
export interface PluginDirectory {
  readonly tools: ToolDefinition[];
  readonly problems: PluginProblem[];
  list(): PluginRecord[];
  /** The name of the tool that an operation is. */
  toolFor(pluginId: string, operationId: string): string | undefined;
  /**
   * Looks at the directories again and loads anew what is in these folders. Calls that are running
   * go on with the code that they began with; it is shut down when the last of them has ended. A
   * plugin that cannot be used any more as it is now stays as it was.
   */
  reload(folders: ReadonlySet<string>): Promise<PluginChange[]>;
  /** Tells every plugin to let go of what it holds. A plugin that fails or hangs is logged. */
  shutdown(): Promise<void>;
}

/** Reads what is there now, given what was there before. */
export type Look = (
  before: readonly LoadedPlugin[],
  changed: ReadonlySet<string>,
) => Promise<{ plugins: LoadedPlugin[]; problems: PluginProblem[]; changes: PluginChange[] }>;

export function createPluginDirectory(
  look: Look,
  options: { log: Log; shutdownTimeoutMs: number },
): PluginDirectory {
  let plugins: LoadedPlugin[] = [];
  let tools: ToolDefinition[] = [];
  let problems: PluginProblem[] = [];
  let reloading: Promise<unknown> = Promise.resolve();
  let stopped = false;
  /** What is not there any more, while calls of it are running. */
  const retired = new Set<LoadedPlugin>();

  async function shutDown(plugin: LoadedPlugin): Promise<void> {
    try {
      const done = Promise.resolve(plugin.instance.shutdown?.());
      await within(options.shutdownTimeoutMs, done, () => new Error("It did not finish."));
    } catch (error) {
      options.log.warn({ plugin: plugin.manifest.id, error }, "A plugin did not shut down.");
    }
  }

  function retire(plugin: LoadedPlugin): void {
    retired.add(plugin);
    void plugin.running.untilNone().then(() => {
      if (retired.delete(plugin)) return shutDown(plugin);
    });
  }

  async function reload(folders: ReadonlySet<string>): Promise<PluginChange[]> {
    if (stopped) return [];
    const before = plugins;
    const now = await look(before, folders);
    ({ plugins, problems } = now);
    tools = plugins.flatMap((plugin) => plugin.tools);
    for (const plugin of before) if (!plugins.includes(plugin)) retire(plugin);
    return now.changes;
  }

  return {
    get tools() {
      return tools;
    },
    get problems() {
      return problems;
    },
    list: () => plugins.map(({ manifest }) => toRecord(manifest)),
    toolFor(pluginId, operationId) {
      const manifest = plugins.find((plugin) => plugin.manifest.id === pluginId)?.manifest;
      const operation = manifest?.operations.find(({ id }) => id === operationId);
      return operation && toolNameOf(pluginId, operation.id);
    },
    reload(folders) {
      const reloaded = reloading.then(() => reload(folders));
      reloading = reloaded.catch(() => {});
      return reloaded;
    },
    async shutdown() {
      stopped = true;
      await reloading;
      const all = [...plugins, ...retired];
      retired.clear();
      await Promise.all(all.map(shutDown));
    },
  };
}

function toRecord(manifest: PluginManifest): PluginRecord {
  const { id, version, description, settingsSchema, operations } = manifest;
  return {
    id,
    version,
    ...(description !== undefined && { description }),
    ...(settingsSchema && { settingsSchema }),
    operations: operations.map((operation) => operationRecord(id, operation)),
  };
}

function operationRecord(plugin: string, operation: OperationManifest) {
  const { id, summary, inputSchema, outputSchema, presentation, timeoutMs } = operation;
  return {
    id,
    summary,
    inputSchema,
    ...(outputSchema && { outputSchema }),
    toolName: toolNameOf(plugin, id),
    durable: operation.durable ?? "orphan",
    ...(presentation && { presentation }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
}
