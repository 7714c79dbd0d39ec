import type { Log } from "../core/index.ts";
import {
  createPluginDirectory,
  type Look,
  type PluginChange,
  type PluginDirectory,
} from "./directory.ts";
import { findPlugins, type FoundPlugin } from "./find-plugins.ts";
import { checkOperations } from "./operation-tool.ts";
import { type PluginManifest, toolNameOf } from "./manifest.ts";
import { BrokenPlugin, type PluginProblem, toProblem } from "./problem.ts";
import { type LoadedPlugin, startPlugin } from "./start-plugin.ts";
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
  const { log, shutdownTimeoutMs = 3_000 } = options;
  let looks = 0;
  const look: Look = (before, changed) =>
    lookAt(directories, { ...options, edition: looks++ }, before, changed);
  const directory = createPluginDirectory(look, { log, shutdownTimeoutMs });
  await directory.reload(new Set());
  return directory;
}

async function lookAt(
  directories: string[],
  options: LoadPluginsOptions & { edition: number },
  before: readonly LoadedPlugin[],
  changed: ReadonlySet<string>,
): ReturnType<Look> {
  const { found, problems: broken } = await findPlugins(directories);
  const old = new Map(before.map((plugin) => [plugin.folder, plugin]));
  const problems: PluginProblem[] = [];
  const changes: PluginChange[] = [];
  const claims = createClaims(options.takenTools);

  /** What stays in the place of a plugin that cannot be used. */
  function refuse(folder: string | undefined, problem: PluginProblem): LoadedPlugin | undefined {
    problems.push(problem);
    if (folder === undefined) return undefined;
    const kept = old.get(folder);
    if (changed.has(folder)) changes.push(refusal(problem, kept));
    return kept;
  }

  async function start(plugin: FoundPlugin): Promise<LoadedPlugin | undefined> {
    const { folder, entry, manifest } = plugin;
    const unchanged = changed.has(folder) ? undefined : old.get(folder);
    if (unchanged) return unchanged;
    try {
      claims.claim(manifest, entry);
      const loaded = await load(plugin, options);
      changes.push(arrival(loaded, old.has(folder)));
      return loaded;
    } catch (error) {
      return refuse(folder, toProblem(manifest.id, error, entry));
    }
  }

  // What stays as it is has its names before whatever comes.
  for (const { folder } of found) {
    const staying = changed.has(folder) ? undefined : old.get(folder);
    if (staying) claims.hold(staying.manifest, staying.entry);
  }
  const places = [
    ...(await Promise.all(found.map(start))),
    ...broken.map(({ folder, ...problem }) => refuse(folder, problem)),
  ];
  const plugins = places.filter((plugin) => plugin !== undefined);
  const ids = new Set(plugins.map(({ manifest }) => manifest.id));
  const gone = before.filter(({ manifest }) => !ids.has(manifest.id));
  return { plugins, problems, changes: [...changes, ...gone.map(departure)] };
}

/** Of plugins that claim the same id or tool, the first has it. */
function createClaims(takenTools: string[] = []) {
  const taken = new Set(takenTools);
  const entries = new Map<string, string>();
  function hold(manifest: PluginManifest, entry: string): void {
    entries.set(manifest.id, entry);
    for (const { id } of manifest.operations) taken.add(toolNameOf(manifest.id, id));
  }
  return {
    hold,
    claim(manifest: PluginManifest, entry: string): void {
      const other = entries.get(manifest.id);
      if (other) throw new BrokenPlugin(`${entry} has the same id as ${other}, which is used.`);
      checkOperations(manifest, taken);
      hold(manifest, entry);
    },
  };
}

function load(
  found: FoundPlugin,
  {
    settings = {},
    pluginsDataDir,
    log,
    startTimeoutMs = 10_000,
    edition,
  }: LoadPluginsOptions & { edition: number },
): Promise<LoadedPlugin> {
  const { id } = found.manifest;
  const given = Object.hasOwn(settings, id) ? settings[id] : undefined;
  return within(
    startTimeoutMs,
    startPlugin(found, { settings: given ?? {}, pluginsDataDir, log, edition }),
    () => new BrokenPlugin(`It was not ready after ${startTimeoutMs / 1_000} seconds.`),
  );
}

function arrival({ manifest: { id } }: LoadedPlugin, again: boolean): PluginChange {
  const message = `The plugin ${id} was loaded${again ? " anew" : ""}.`;
  return { plugin: id, change: "loaded", message };
}

function departure({ manifest: { id } }: LoadedPlugin): PluginChange {
  return { plugin: id, change: "removed", message: `The plugin ${id} is gone.` };
}

function refusal({ plugin, message }: PluginProblem, kept?: LoadedPlugin): PluginChange {
  return kept
    ? {
        plugin: kept.manifest.id,
        change: "kept",
        message: `The plugin ${kept.manifest.id} stays as it was, because it cannot be used as it is now: ${message}`,
      }
    : {
        plugin,
        change: "skipped",
        message: `The plugin ${plugin} was skipped. ${message}`,
      };
}
