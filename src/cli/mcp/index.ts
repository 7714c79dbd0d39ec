import { Command } from "commander";
import { durationOption } from "../duration.ts";
import type { Io } from "../io.ts";
import { dataOption } from "../options.ts";
import { bridge } from "./bridge.ts";
import { permissionCommand } from "./permission.ts";

export function mcpCommand(io: Io): Command {
  return new Command("mcp")
    .description("let an MCP client ask people and call operations, over stdio")
    .addOption(
      durationOption(
        "--wait <time>",
        "how long the client waits for a call: 50s, 10m, never; then it hears that it is pending",
      ),
    )
    .addOption(dataOption(io.env))
    .addCommand(permissionCommand(io))
    .action((options: { data: string; wait?: number }) => bridge(io, options));
}
