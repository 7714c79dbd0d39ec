import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ToolDefinition } from "../core/index.ts";
import { loadPlugins } from "../plugins/index.ts";

/** The tools of one plugin, and what ends it. */
export interface PluginTools {
  /** The tool that an operation of its manifest is; throws if there is none of this id. */
  operation(id: string): ToolDefinition;
  /** Calls the plugin's `shutdown` and removes its data. */
  close(): Promise<void>;
}

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/**
 * Loads one plugin's folder as a server would, so that its operations can be checked as tools. What
 * it keeps in its `dataDir` is gone with `close`.
 *
 * Throws, with the sentence that a server would log, when the plugin is broken.
 *
 * @param settings what the plugin gets as its settings, by its id
 */
export async function loadPluginTools(
  folder: string,
  settings: Record<string, Record<string, unknown>> = {},
): Promise<PluginTools> {
  const pluginsDataDir = await mkdtemp(join(tmpdir(), "beckon-plugin-"));
  const plugins = await loadPlugins([folder], { pluginsDataDir, log: quiet, settings });
  const close = async () => {
    await plugins.shutdown();
    await rm(pluginsDataDir, { recursive: true, force: true });
  };
  const [problem] = plugins.problems;
  if (problem) {
    await close();
    throw new Error(`The plugin ${problem.plugin} is broken. ${problem.message}`);
  }
  return {
    close,
    operation(id) {
      const [plugin] = plugins.list();
      const name = plugin && plugins.toolFor(plugin.id, id);
      const tool = plugins.tools.find((one) => one.name === name);
      if (!tool) throw new Error(`The plugin ${plugin?.id ?? folder} has no operation "${id}".`);
      return tool;
    },
  };
}
