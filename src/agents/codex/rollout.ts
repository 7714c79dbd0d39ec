import { type FileHandle, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { parseObject } from "../cli/json-lines.ts";
import { type RolloutEntry, toEntry, toOutput } from "./rollout-entry.ts";

/** More than this is not read at once: of what is longer, the end counts. */
const READ_LIMIT = 32 * 1024 * 1024;

/**
 * Codex's own history of one conversation, from a place in its file on. The file is Codex's: where it
 * is not there, or not as expected, there is nothing in it.
 */
export class Rollout {
  readonly #home: string;
  readonly #threadId: string;
  #path: string | undefined;
  #lines = 0;
  /** The place behind the last line that has been read. */
  position: number;
  /** Whether it has been read to its end at least once. */
  isRead = false;
  entries: RolloutEntry[] = [];

  constructor(home: string, threadId: string, from: number) {
    this.#home = home;
    this.#threadId = threadId;
    this.position = from;
  }

  /** Reads what has come since. */
  async read(): Promise<void> {
    try {
      this.#path ??= await findRollout(join(this.#home, "sessions"), this.#threadId);
      if (this.#path === undefined) return;
      const file = await open(this.#path);
      try {
        await this.#readFrom(file);
      } finally {
        await file.close();
      }
      this.isRead = true;
    } catch {
      // It is there for others first.
    }
  }

  /** Forgets what has been read: all of it is in the log. */
  settle(): void {
    this.entries = [];
  }

  async #readFrom(file: FileHandle): Promise<void> {
    const { size } = await file.stat();
    if (size - this.position > READ_LIMIT) this.position = size - READ_LIMIT;
    const length = size - this.position;
    if (length <= 0) return;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, this.position);
    const end = buffer.subarray(0, bytesRead).lastIndexOf("\n") + 1;
    this.position += end;
    for (const line of buffer.subarray(0, end).toString().split("\n")) this.#take(line);
  }

  #take(line: string): void {
    const at = ++this.#lines;
    const record = parseObject(line);
    const entry = toEntry(record, at);
    if (entry) this.entries.push(entry);
    const output = toOutput(record);
    const call = output && this.entries.find((one) => one.callId === output.callId && !one.doneAt);
    if (call) Object.assign(call, { doneAt: at, output: output.text });
  }
}

/** They stand in folders by year, month and day. The latest first: that is the likeliest. */
async function findRollout(
  folder: string,
  threadId: string,
  depth = 3,
): Promise<string | undefined> {
  const names = (await readdir(folder)).sort().toReversed();
  if (depth === 0) {
    const name = names.find((one) => one.endsWith(`-${threadId}.jsonl`));
    return name === undefined ? undefined : join(folder, name);
  }
  for (const name of names) {
    const found = await findRollout(join(folder, name), threadId, depth - 1).catch(() => undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}
