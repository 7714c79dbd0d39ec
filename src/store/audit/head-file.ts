import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** The last event of a session that is known: everything before it is fixed by its hash. */
export interface Head {
  seq: number;
  hash: string;
}

/** Rows of a log that the file knew, and the database did not have when the server started. */
export interface Loss extends Head {
  sessionId: string;
  /** The database's last row. */
  after: number;
  /** What the log was called until then, and never shall be again. Undefined: it was gone. */
  logId: string | undefined;
  /** When the server started. */
  at: string;
}

export interface HeadFile {
  /** By session; where a session has several lines, the highest. */
  heads: Map<string, Head>;
  /** When the file was found missing or cut, though it had been whole before. */
  lostAt: string[];
  losses: Loss[];
  /** Lines that are neither a head nor a note. */
  unreadable: string[];
}

const LINE = /^(\S+) ([1-9]\d*) ([0-9a-f]{64})$/;
const LOST = /^# missing at (\S+)$/;
const LOSS = /^# lost (\S+) ([1-9]\d*) ([0-9a-f]{64}) after (\d+) of (\S+) at (\S+)$/;
const GONE = "-";

/** Where the heads of the database at `path` are kept. */
export function headPath(path: string): string {
  return join(dirname(path), "audit-heads");
}

export function toLine(sessionId: string, { seq, hash }: Head): string {
  return `${sessionId} ${seq} ${hash}\n`;
}

export function emptyHeadFile(): HeadFile {
  return { heads: new Map(), lostAt: [], losses: [], unreadable: [] };
}

/** Undefined if there is no such file. */
export function readHeadFile(path: string): HeadFile | undefined {
  try {
    return parseHeads(readFileSync(path, "utf8"));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if ("code" in error && error.code === "ENOENT") return undefined;
    throw new Error(`The audit's heads in ${path} cannot be read: ${error.message}`, {
      cause: error,
    });
  }
}

/** What somebody knew of the heads, with where it is from as a sentence says it. */
export interface HeadSource {
  name: string;
  heads: Map<string, Head>;
}

/** A head file that was copied elsewhere, to compare with. */
export function readHeadCopy(path: string): HeadSource {
  const file = readHeadFile(path);
  if (!file) throw new Error(`There is no file ${path} to compare with.`);
  if (file.heads.size === 0) throw new Error(`${path} has no heads in it.`);
  return { name: path, heads: file.heads };
}

/** A last line without its end was being written when the power went: it counts as not there. */
function parseHeads(text: string): HeadFile {
  const file: HeadFile = emptyHeadFile();
  for (const line of text.slice(0, text.lastIndexOf("\n") + 1).split("\n")) {
    const [, sessionId, seq, hash] = LINE.exec(line) ?? [];
    const lostAt = LOST.exec(line)?.[1];
    if (sessionId !== undefined && hash !== undefined) {
      if (Number(seq) >= (file.heads.get(sessionId)?.seq ?? 0)) {
        file.heads.set(sessionId, { seq: Number(seq), hash });
      }
    } else if (lostAt !== undefined) file.lostAt.push(lostAt);
    else if (LOSS.test(line)) file.losses.push(parseLoss(line));
    else if (line !== "") file.unreadable.push(line);
  }
  return file;
}

function parseLoss(line: string): Loss {
  const [, sessionId = "", seq, hash = "", after, logId, at = ""] = LOSS.exec(line) ?? [];
  return {
    sessionId,
    seq: Number(seq),
    hash,
    after: Number(after),
    logId: logId === GONE ? undefined : logId,
    at,
  };
}

function toNote({ sessionId, seq, hash, after, logId = GONE, at }: Loss): string {
  return `# lost ${sessionId} ${seq} ${hash} after ${after} of ${logId} at ${at}`;
}

/** Puts a new file in the place of the old one, whole or not at all; gives it open for appending. */
export function replaceHeadFile(path: string, known: HeadFile): number {
  const { heads, lostAt, losses, unreadable } = known;
  const draft = `${path}.new`;
  rmSync(draft, { force: true });
  const file = openSync(draft, "ax", 0o600);
  try {
    const missing = lostAt.map((time) => `# missing at ${time}`);
    const notes = [...missing, ...losses.map(toNote), ...unreadable];
    const lines = Array.from(heads, ([sessionId, head]) => toLine(sessionId, head));
    writeFileSync(file, notes.map((note) => `${note}\n`).join("") + lines.join(""));
    fsyncSync(file);
    renameSync(draft, path);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}
