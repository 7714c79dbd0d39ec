import { Command } from "commander";
import type { Io } from "../io.ts";
import { permissionCommand } from "./permission.ts";

export function mcpCommand(io: Io): Command {
  return new Command("mcp")
    .description("serve agents over the Model Context Protocol")
    .addCommand(permissionCommand(io));
}
