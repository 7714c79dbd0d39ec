import { Command } from "commander";
import { visibleText } from "../../client/index.ts";
import type { InteractionRecord } from "../../protocol/index.ts";
import type { Io } from "../io.ts";
import { dataOption } from "../options.ts";
import { Connection } from "../server/connection.ts";
import { toTable } from "../table.ts";
import { cut } from "../width.ts";
import { namesOf } from "./answer-body.ts";
import { gistOf } from "./gist.ts";
import { openPrompts } from "./open-prompts.ts";
import { inboxInTerminal } from "./terminal/inbox-in-terminal.ts";
import { ago, left } from "./times.ts";
import { titleOf } from "./title.ts";

const ABOUT_COLUMNS = 60;
const NAMES_COLUMNS = 40;

export function inboxCommand(io: Io): Command {
  return new Command("inbox")
    .description("show what waits for an answer, and answer it")
    .option("--json", "print all of it as one JSON object: { interactions }")
    .option("--list", "print it as a table, in a terminal too")
    .addOption(dataOption(io.env))
    .action(async ({ data, json, list }: { data: string; json?: boolean; list?: boolean }) => {
      const terminal = json || list ? undefined : io.terminal?.();
      if (terminal) return inboxInTerminal(io, terminal, data);
      const interactions = await openPrompts(new Connection(io, data));
      if (json) return io.out(JSON.stringify({ interactions }));
      if (interactions.length === 0) return io.err("Nothing waits for you.");
      for (const line of toLines(interactions)) io.out(line);
    });
}

function toLines(interactions: InteractionRecord[]): string[] {
  const now = Date.now();
  const rows = interactions.map(({ id, request, sessionId, createdAt, expiresAt }) => [
    visibleText(id),
    request.interactionType,
    visibleText(sessionId),
    ago(createdAt, now),
    left(expiresAt, now) ?? "-",
    cut(visibleText(namesOf(request).join(",")), NAMES_COLUMNS) || "-",
    aboutOf(request),
  ]);
  return toTable(["ID", "KIND", "SESSION", "ASKED", "LEFT", "FIELDS", "ABOUT"], rows);
}

function aboutOf(request: InteractionRecord["request"]): string {
  return cut(visibleText(`${titleOf(request)} ${gistOf(request)}`.trimEnd()), ABOUT_COLUMNS);
}
