import { Command } from "commander";
import { visibleText } from "../client/index.ts";
import type { NodeRecord } from "../protocol/index.ts";
import type { Io } from "./io.ts";
import { dataOption } from "./options.ts";
import { ago } from "./people/times.ts";
import { Connection } from "./server/connection.ts";
import { toTable } from "./table.ts";

export function nodesCommand(io: Io): Command {
  return new Command("nodes")
    .description("list the servers that share the store, and whether they live")
    .option("--json", "print one JSON object: { nodes }")
    .addOption(dataOption(io.env))
    .action(async ({ data, json }: { data: string; json?: boolean }) => {
      const { nodes } = await new Connection(io, data).get<{ nodes: NodeRecord[] }>("/api/nodes");
      if (json) return io.out(JSON.stringify({ nodes }));
      for (const line of toLines(nodes)) io.out(line);
    });
}

function toLines(nodes: NodeRecord[]): string[] {
  const rows = nodes.map(({ name, host, version, startedAt, seenAt, live }) => [
    visibleText(name),
    visibleText(host),
    visibleText(version),
    ago(startedAt),
    ago(seenAt),
    live ? "live" : "gone",
  ]);
  return toTable(["NAME", "HOST", "VERSION", "STARTED", "SEEN", "STATE"], rows);
}
