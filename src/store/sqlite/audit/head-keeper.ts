import { appendFileSync, closeSync, fsyncSync } from "node:fs";
import type { Clock, Log } from "../../../core/ports.ts";
import type { Database } from "../database.ts";
import {
  emptyHeadFile,
  type Head,
  type HeadFile,
  headPath,
  readHeadFile,
  replaceHeadFile,
  toLine,
} from "../../audit/head-file.ts";
import { contains, settleHeads } from "./settle-heads.ts";

/** Keeps the head of each session in a file beside the database. */
export interface HeadKeeper {
  /** Notes, inside a transaction, how far the log of a session got. */
  raise(sessionId: string, from: Head, to: Head): void;
  /** The transaction is on disk, and nobody has been told yet. */
  committed(): void;
  rolledBack(): void;
  close(): void;
}

interface HeadKeeperOptions {
  database: Database;
  /** The database's file. */
  path: string;
  clock: Clock;
  log: Log | undefined;
}

const BEGUN = "SELECT value FROM counters WHERE name = 'audit-heads'";
/** How many heads the file had when it was synced for this: one that has fewer was cut or emptied. */
const BEGIN = `INSERT INTO counters (name, value) VALUES ('audit-heads', ?)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
const ANY = "SELECT 1 FROM sessions WHERE last_seq > 0 LIMIT 1";

/** Lines that may stand in the file beside one a session before it is written anew. */
const SPARE_LINES = 10_000;
const RETRY_MS = 1_000;

/**
 * Opens the head file for the one process that writes the log. It is written after each transaction
 * and before anybody is told of it, without a sync of its own: a power cut can leave it behind the
 * database, never ahead. It is synced, and the database told how many heads it has, when it is opened
 * and closed, and whenever it has twice as many.
 *
 * A head is only ever replaced by one whose chain contains it. If the log was changed or cut, the
 * old head stays, and is kept as a note from the next start on, so that a verifier finds out however
 * much is appended afterwards.
 *
 * Contract: none of its methods throws. A file that cannot be written takes no commit with it; that
 * is logged, and tried again with later commits.
 */
export function openHeadKeeper(options: HeadKeeperOptions): HeadKeeper {
  const { database, path, clock, log } = options;
  const file = headPath(path);
  const known = readKnown(options, file);
  const raised = new Map<string, { from: Head; to: Head }>();
  const refused = new Set<string>();
  let descriptor: number | undefined;
  let spare = 0;
  let failing = false;
  let retryAt = 0;
  let told = database.get(BEGUN)?.["value"];

  function refuse(sessionId: string): void {
    if (refused.has(sessionId)) return;
    refused.add(sessionId);
    log?.error({ sessionId }, "a log no longer agrees with its head; see: beckon audit verify");
  }

  /** Everything that the file shall hold: at open, when it has grown, and after a failure. */
  function rewrite(): void {
    const old = descriptor;
    descriptor = replaceHeadFile(file, known);
    spare = 0;
    if (old !== undefined) closeSync(old);
  }

  function write(lines: string[]): void {
    if (failing && clock.now() < retryAt) return;
    try {
      spare += lines.length;
      const isLong = spare > SPARE_LINES + known.heads.size;
      if (descriptor === undefined || failing || isLong) rewrite();
      else appendFileSync(descriptor, lines.join(""));
      if (failing) log?.warn({}, "the heads of the audit are written again");
      failing = false;
    } catch (error) {
      if (!failing) log?.error({ error, file }, "the heads of the audit cannot be written");
      failing = true;
      retryAt = clock.now() + RETRY_MS;
    }
  }

  const sessions = settleHeads(database, known, new Date(clock.now()).toISOString());
  if (sessions > 0) {
    log?.error(
      { sessions },
      "the database has lost events that it had stored: its -wal file was deleted or cut, or an older copy was put in its place. Stop the server, put the file back or restore a backup; `beckon audit verify` lists what is missing. Until then these logs go on under new ids, and clients read them again",
    );
  }
  /** So that the next start finds out if the file has fewer. */
  function tell(): void {
    const { size } = known.heads;
    if (failing || descriptor === undefined || told === size) return;
    try {
      fsyncSync(descriptor);
      database.run(BEGIN, size);
      told = size;
    } catch (error) {
      log?.warn({ error, file }, "how many heads the audit has could not be noted");
    }
  }

  write([]);
  tell();

  return {
    raise(sessionId, from, to) {
      raised.set(sessionId, { from: raised.get(sessionId)?.from ?? from, to });
    },
    rolledBack: () => raised.clear(),
    committed() {
      if (raised.size === 0) return;
      const lines: string[] = [];
      for (const [sessionId, { from, to }] of raised) {
        const head = known.heads.get(sessionId);
        const follows = !head || (head.seq === from.seq && head.hash === from.hash);
        if (follows || contains(database, sessionId, head)) {
          known.heads.set(sessionId, to);
          lines.push(toLine(sessionId, to));
        } else refuse(sessionId);
      }
      raised.clear();
      if (lines.length > 0) write(lines);
      if (known.heads.size > 2 * Number(told ?? 0)) tell();
    },
    close() {
      retryAt = 0;
      if (failing) write([]);
      tell();
      if (descriptor !== undefined) closeSync(descriptor);
    },
  };
}

function readKnown({ database, clock, log }: HeadKeeperOptions, file: string): HeadFile {
  const found = readHeadFile(file);
  const begun = database.get(BEGUN)?.["value"];
  const isWhole =
    begun === undefined ||
    (found && (sessionsOf(found) >= Number(begun) || database.get(ANY) === undefined));
  const known = found ?? emptyHeadFile();
  if (isWhole) return known;
  log?.error(
    { file },
    "the head file of the audit was missing, emptied or cut: what was changed in the logs before now cannot be found by it; compare with a copy: beckon audit verify --against FILE",
  );
  return { ...known, lostAt: [...known.lostAt, new Date(clock.now()).toISOString()] };
}

/** Of how many sessions there was a head: that of a session which lost every row is a note. */
function sessionsOf({ heads, losses }: HeadFile): number {
  return heads.size + losses.filter(({ after }) => after === 0).length;
}
