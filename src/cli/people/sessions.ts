import { Command, InvalidArgumentError } from "commander";
import { visibleText } from "../../client/index.ts";
import { LIMITS, type SessionRecord } from "../../protocol/index.ts";
import type { Io } from "../io.ts";
import { dataOption } from "../options.ts";
import { Connection } from "../server/connection.ts";
import { toTable } from "../table.ts";
import { cut } from "../width.ts";
import { ago } from "./times.ts";

interface Options {
  data: string;
  limit: number;
  cursor?: string;
  json?: boolean;
}

interface Page {
  sessions: SessionRecord[];
  next?: string;
}

const TITLE_COLUMNS = 40;

export function sessionsCommand(io: Io): Command {
  return new Command("sessions")
    .description("list the sessions, those that changed last first")
    .option("--limit <count>", "at most so many", toCount, 20)
    .option("--cursor <next>", "go on where a list ended: its next")
    .option("--json", "print one JSON object: { sessions, next? }")
    .addOption(dataOption(io.env))
    .action(async ({ data, limit, cursor, json }: Options) => {
      const page = await readSessions(new Connection(io, data), limit, cursor);
      if (json) return io.out(JSON.stringify(page));
      if (page.sessions.length === 0) return io.err("There are no sessions yet.");
      for (const line of toLines(page.sessions)) io.out(line);
      if (page.next !== undefined) io.err(`More with: beckon sessions --cursor ${page.next}`);
    });
}

/** The server gives so many at a time; asks until there are enough. */
async function readSessions(server: Connection, limit: number, from?: string): Promise<Page> {
  const sessions: SessionRecord[] = [];
  let next = from;
  do {
    const count = Math.min(limit - sessions.length, LIMITS.listPageMax);
    const query = new URLSearchParams({ limit: String(count), ...(next ? { cursor: next } : {}) });
    const page = await server.get<Page>(`/api/sessions?${query.toString()}`);
    sessions.push(...page.sessions);
    next = page.next;
  } while (next !== undefined && sessions.length < limit);
  return { sessions, ...(next === undefined ? {} : { next }) };
}

function toLines(sessions: SessionRecord[]): string[] {
  const rows = sessions.map(({ id, title, agent, status, pendingCount, updatedAt }) => [
    visibleText(id),
    visibleText(agent),
    status,
    pendingCount === 0 ? "-" : String(pendingCount),
    ago(updatedAt),
    cut(visibleText(title), TITLE_COLUMNS),
  ]);
  return toTable(["ID", "AGENT", "STATUS", "WAITING", "UPDATED", "TITLE"], rows);
}

function toCount(text: string): number {
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (count > 0) return count;
  throw new InvalidArgumentError("Give a whole number from 1 on.");
}
