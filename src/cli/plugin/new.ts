import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { Command } from "commander";
import { firstMessage, PluginId, scaffold } from "../../plugins/index.ts";
import { packageSpec } from "../../package.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import type { Io } from "../io.ts";

export function pluginNewCommand(io: Io): Command {
  return new Command("new")
    .description("make the folder of a new plugin, which works and has a test")
    .argument("<name>", "its id: small letters, digits and hyphens")
    .option("--dir <dir>", "where to make the folder", ".")
    .action((name: string, { dir }: { dir: string }) => create(io, name, dir));
}

function create(io: Io, name: string, dir: string): void {
  const { error } = PluginId.safeParse(name);
  if (error) {
    const [issue] = error.issues;
    throw new CommandFailure(
      `"${name}" cannot be a plugin's name: it ${issue?.message}.`,
      EXIT.usage,
    );
  }
  const folder = join(dir, name);
  if (existsSync(folder)) {
    throw new CommandFailure(`${folder} exists already. Choose another name, or another --dir.`);
  }
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(scaffold(name, packageSpec()))) {
    writeFileSync(join(folder, file), text, { flag: "wx" });
  }
  const shown = relative(".", folder) || folder;
  io.out(folder);
  io.err(`The plugin ${name} is in ${shown}. Next:`);
  io.err(`  beckon plugin check ${shown}`);
  io.err(`  beckon serve --plugins ${shown} --watch-plugins`);
  io.err(`and there, in a session of the demo agent: ${firstMessage(name)}`);
}
