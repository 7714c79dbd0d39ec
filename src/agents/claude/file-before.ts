import { constants, open, realpath } from "node:fs/promises";
import { resolve, sep } from "node:path";

/** A file as it is before a call changes it; `unknown` where it is not to be read, or is no text. */
export type FileBefore = { text: string } | "missing" | "unknown";

/** Larger files are not read: a card could not show them. */
const MOST_BYTES = 1024 * 1024;

/**
 * Reads a text file that an agent is about to change, for the people who approve that. Only in the
 * folder in which the agent may read by itself: what it asks to write must not lead what it may not
 * read into the log, which its own commands can read.
 */
export async function readFileBefore(path: string, folder: string): Promise<FileBefore> {
  try {
    const [real, within] = await Promise.all([realpath(resolve(folder, path)), realpath(folder)]);
    if (!real.startsWith(within.endsWith(sep) ? within : within + sep)) return "unknown";
    return await readText(real);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "missing" : "unknown";
  }
}

/** Not by a link that has just been put there, and without waiting for who writes into a pipe. */
const HOW = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

async function readText(path: string): Promise<FileBefore> {
  const file = await open(path, HOW);
  try {
    const found = await file.stat();
    const { size } = found;
    if (!found.isFile() || size > MOST_BYTES) return "unknown";
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      buffer.subarray(0, bytesRead),
    );
    return text.includes("\0") ? "unknown" : { text };
  } finally {
    await file.close();
  }
}
