import { Command } from "commander";
import type { Io } from "../io.ts";
import { pluginCheckCommand } from "./check.ts";
import { pluginNewCommand } from "./new.ts";
import { pluginSkillCommand } from "./skill.ts";

export function pluginCommand(io: Io): Command {
  return new Command("plugin")
    .description("write plugins")
    .addCommand(pluginNewCommand(io))
    .addCommand(pluginCheckCommand(io))
    .addCommand(pluginSkillCommand(io));
}
