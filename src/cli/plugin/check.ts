import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { visibleText } from "../../client/index.ts";
import { builtinTools, loadPlugins } from "../../plugins/index.ts";
import { createLog } from "../../system.ts";
import { CommandFailure } from "../failure.ts";
import type { Io } from "../io.ts";
import { dataOption } from "../options.ts";
import { readSettings } from "../settings.ts";

interface Options {
  data: string;
  json?: boolean;
}

export function pluginCheckCommand(io: Io): Command {
  return new Command("check")
    .description("load a plugin as a server would, and say what is wrong with it")
    .argument("<dir>", "a plugin's folder, or a folder of plugins")
    .option("--json", "print one JSON object")
    .addOption(dataOption(io.env))
    .action((dir: string, options: Options) => check(io, dir, options));
}

/** Its code runs, with the settings of the data directory, and is shut down again. */
async function check(io: Io, dir: string, { data, json }: Options): Promise<void> {
  const pluginsDataDir = await mkdtemp(join(tmpdir(), "beckon-plugin-"));
  try {
    const loaded = await loadPlugins([dir], {
      pluginsDataDir,
      log: createLog(io.env["BECKON_LOG"]),
      settings: readSettings(data).plugins,
      takenTools: builtinTools.map(({ name }) => name),
    });
    const plugins = loaded.list().map(({ id, version, operations }) => ({
      id,
      version,
      tools: operations.map(({ toolName }) => toolName),
    }));
    const { problems } = loaded;
    await loaded.shutdown();
    const ok = problems.length === 0;
    if (json) io.out(JSON.stringify({ ok, plugins, problems }));
    else {
      for (const { id, version, tools } of plugins) {
        io.out(
          `The plugin ${id} ${visibleText(version)} is in order. Its tools: ${tools.join(", ")}`,
        );
      }
    }
    if (!ok) throw new CommandFailure(problems.map(sentence).join("\n"));
  } finally {
    await rm(pluginsDataDir, { recursive: true, force: true });
  }
}

function sentence({ plugin, message }: { plugin: string; message: string }): string {
  return `The plugin ${visibleText(plugin)} cannot be used. ${visibleText(message)}`;
}
