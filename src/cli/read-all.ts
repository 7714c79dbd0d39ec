import type { Io } from "./io.ts";

/** What comes on stdin, to its end. */
export async function readAll(io: Io): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of io.stdin?.() ?? []) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}
