import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Command } from "commander";
import { visibleText } from "../../client/index.ts";
import { printText } from "../print-text.ts";
import { findPlugins, skillNameOf, skillOf } from "../../plugins/index.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import type { Io } from "../io.ts";

export function pluginSkillCommand(io: Io): Command {
  return new Command("skill")
    .description("print a plugin's SKILL.md, for agents that read skills")
    .argument("<dir>", "a plugin's folder; with --write also a folder of plugins")
    .option("--write", "write it into the plugin's folder")
    .action((dir: string, { write }: { write?: boolean }) => skill(io, dir, write ?? false));
}

/** None of the plugin's code runs: its manifest says everything. */
async function skill(io: Io, dir: string, write: boolean): Promise<void> {
  const { found, problems } = await findPlugins([dir]);
  const [problem] = problems;
  if (problem) {
    const { plugin, message } = problem;
    throw new CommandFailure(
      `The plugin ${visibleText(plugin)} cannot be used. ${visibleText(message)}`,
    );
  }
  if (found.length > 1 && !write) {
    throw new CommandFailure(
      `${dir} holds ${found.length} plugins. Name the folder of one, or write them all with --write.`,
      EXIT.usage,
    );
  }
  for (const { manifest, folder } of found) {
    const text = skillOf(manifest);
    if (!write) return printText(io, text.trimEnd());
    const path = join(folder, "SKILL.md");
    writeFileSync(path, text);
    io.out(path);
    const name = skillNameOf(manifest.id);
    if (basename(folder) !== name) {
      io.err(`Agents want a skill's folder to have its name: call a copy of it ${name}.`);
    }
  }
}
