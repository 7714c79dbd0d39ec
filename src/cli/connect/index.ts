import { Command } from "commander";
import type { Io } from "../io.ts";
import { connectClaudeCommand } from "./claude.ts";

export function connectCommand(io: Io): Command {
  return new Command("connect")
    .description("let agents that run by themselves ask here")
    .addCommand(connectClaudeCommand(io));
}
