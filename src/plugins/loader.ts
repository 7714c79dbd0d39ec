import type { Log } from "../core/index.ts";
import { createPluginDirectory, type LoadedPlugin, type PluginDirectory } from "./directory.ts";
import { findPlugins, type FoundPlugin } from "./find-plugins.ts";
import { toolNameOf } from "./manifest.ts";
import { checkOperations, toTool } from "./operation-tool.ts";
import { BrokenPlugin, type PluginProblem, toProblem } from "./problem.ts";
import { startPlugin } from "./start-plugin.ts";
import { within } from "./within.ts";

export interface LoadPluginsOptions {
  /** Where plugins keep their own files, one folder each. */
  pluginsDataDir: string;
  log: Log;
  /** What each plugin is given as its settings, by its id. */
  settings?: Record<string, Record<string, unknown>>;
  /** Names of tools that plugins may not take. */
  takenTools?: string[];
  /** @default ten seconds */
  startTimeoutMs?: number;
  /** @default three seconds */
  shutdownTimeoutMs?: number;
}

/**
 * Loads every plugin in these directories. A plugin that is broken is listed among the problems and
 * skipped; the others are there.
 */
export async function loadPlugins(
  directories: string[],
  options: LoadPluginsOptions,
): Promise<PluginDirectory> {
  const { found, problems } = await findPlugins(directories);
  const usable = withoutClashes(found, new Set(options.takenTools), problems);
  const started = await Promise.all(usable.map((plugin) => load(plugin, options, problems)));
  const plugins = started.filter((plugin) => plugin !== undefined);
  const { log, shutdownTimeoutMs = 3_000 } = options;
  return createPluginDirectory(plugins, problems, { log, shutdownTimeoutMs });
}

/** Of plugins that claim the same id or tool, the first stays. */
function withoutClashes(
  found: FoundPlugin[],
  taken: Set<string>,
  problems: PluginProblem[],
): FoundPlugin[] {
  const entries = new Map<string, string>();
  return found.filter(({ manifest, entry }) => {
    try {
      const other = entries.get(manifest.id);
      if (other) throw new BrokenPlugin(`${entry} has the same id as ${other}, which is used.`);
      checkOperations(manifest, taken);
    } catch (error) {
      problems.push(toProblem(manifest.id, error));
      return false;
    }
    entries.set(manifest.id, entry);
    for (const { id } of manifest.operations) taken.add(toolNameOf(manifest.id, id));
    return true;
  });
}

async function load(
  found: FoundPlugin,
  { settings = {}, pluginsDataDir, log, startTimeoutMs = 10_000 }: LoadPluginsOptions,
  problems: PluginProblem[],
): Promise<LoadedPlugin | undefined> {
  const { manifest } = found;
  try {
    const own = Object.hasOwn(settings, manifest.id) ? settings[manifest.id] : undefined;
    const instance = await within(
      startTimeoutMs,
      startPlugin(found, { settings: own ?? {}, pluginsDataDir, log }),
      () => new BrokenPlugin(`It was not ready after ${startTimeoutMs / 1_000} seconds.`),
    );
    const tools = manifest.operations.map((operation) => toTool(manifest, operation, instance));
    return { manifest, instance, tools };
  } catch (error) {
    problems.push(toProblem(manifest.id, error, found.entry));
    return undefined;
  }
}
