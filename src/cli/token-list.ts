import { Command } from "commander";
import { visibleText } from "../client/index.ts";
import type { TokenInfo } from "../server/index.ts";
import { readHolder } from "../store/index.ts";
import { systemClock } from "../system.ts";
import { withData } from "./data.ts";
import type { Io } from "./io.ts";
import { dataOption, storeOf, storeOption } from "./options.ts";
import { toTable } from "./table.ts";

export function tokenListCommand(io: Io): Command {
  return new Command("list")
    .description("list the tokens; never their secret part")
    .option("--json", "print one JSON object")
    .addOption(dataOption(io.env))
    .addOption(storeOption())
    .action(async ({ data, store, json }: { data: string; store?: string; json?: boolean }) => {
      const all = await withData(
        { directory: data, url: storeOf(io.env, store) },
        ({ credentials }) => credentials.listTokens(),
      );
      const startedAt = Date.parse(readHolder(data)?.startedAt ?? "") || Number.POSITIVE_INFINITY;
      const tokens = all.filter((token) => token.kind !== "signin" && !wasLent(token, startedAt));
      if (json) io.out(JSON.stringify({ tokens: tokens.map(toJson) }));
      else for (const line of toLines(tokens)) io.out(line);
    });
}

/**
 * Tokens that commands had for as long as they ran would soon be most of the list. They end with
 * the server that lent them.
 */
function wasLent(token: TokenInfo, startedAt: number): boolean {
  if (!token.holder.id.startsWith("agent-")) return false;
  return stateOf(token) !== "good" || (token.lent && token.createdAt < startedAt);
}

type State = "good" | "expired" | "revoked";

function stateOf({ revokedAt, expiresAt }: TokenInfo): State {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt <= systemClock.now() ? "expired" : "good";
}

function toJson(token: TokenInfo) {
  const { id, holder, kind, sessionId } = token;
  return {
    id,
    kind: holder.kind,
    name: holder.name,
    use: kind,
    ...(sessionId !== null && { sessionId }),
    createdAt: toIso(token.createdAt),
    ...(token.expiresAt !== null && { expiresAt: toIso(token.expiresAt) }),
    ...(token.revokedAt !== null && { revokedAt: toIso(token.revokedAt) }),
    state: stateOf(token),
  };
}

function toLines(tokens: TokenInfo[]): string[] {
  const rows = tokens.map((token) => [
    token.id,
    token.holder.kind,
    token.kind,
    stateOf(token),
    toIso(token.createdAt).slice(0, 10),
    visibleText(token.holder.name) +
      (token.sessionId === null ? "" : ` (session ${token.sessionId})`),
  ]);
  return toTable(["ID", "KIND", "USE", "STATE", "CREATED", "NAME"], rows);
}

function toIso(time: number): string {
  return new Date(time).toISOString();
}
