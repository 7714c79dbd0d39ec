import { Command } from "commander";
import { visibleText } from "../../client/index.ts";
import type { GrantRecord } from "../../protocol/index.ts";
import type { Io } from "../io.ts";
import { dataOption } from "../options.ts";
import { Connection } from "../server/connection.ts";
import { toTable } from "../table.ts";
import { cut } from "../width.ts";
import { ago } from "./times.ts";

const KEY_COLUMNS = 60;

export function grantsCommand(io: Io): Command {
  return new Command("grants")
    .description("list and revoke what was allowed for a session or for always")
    .addCommand(listCommand(io))
    .addCommand(revokeCommand(io));
}

function listCommand(io: Io): Command {
  return new Command("list")
    .description("list the remembered approvals")
    .option("--json", "print one JSON object: { grants }")
    .addOption(dataOption(io.env))
    .action(async ({ data, json }: { data: string; json?: boolean }) => {
      const grants = await new Connection(io, data).all<GrantRecord>("/api/grants", "grants");
      if (json) return io.out(JSON.stringify({ grants }));
      if (grants.length === 0) return io.err("Nothing is allowed beyond a single call.");
      for (const line of toLines(grants)) io.out(line);
    });
}

function revokeCommand(io: Io): Command {
  return new Command("revoke")
    .description("take one back now: from the next call on, people are asked again")
    .argument("<id>", "as `beckon grants list` shows it")
    .addOption(dataOption(io.env))
    .action(async (id: string, { data }: { data: string }) => {
      await new Connection(io, data).delete(`/api/grants/${encodeURIComponent(id)}`);
      io.err(`The grant ${id} is revoked.`);
    });
}

function toLines(grants: GrantRecord[]): string[] {
  const rows = grants.map(({ id, toolName, key, scope, sessionId, createdAt }) => [
    visibleText(id),
    scope,
    sessionId === undefined ? "-" : visibleText(sessionId),
    ago(createdAt),
    visibleText(toolName),
    cut(visibleText(key), KEY_COLUMNS),
  ]);
  return toTable(["ID", "SCOPE", "SESSION", "GRANTED", "TOOL", "COVERS"], rows);
}
