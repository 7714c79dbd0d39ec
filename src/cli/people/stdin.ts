import type { Io } from "../io.ts";

/** Everything that is piped in, without the line break that `echo` puts at its end. */
export async function readStdin(io: Io): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of io.stdin?.() ?? []) pieces.push(piece);
  return Buffer.concat(pieces)
    .toString("utf8")
    .replace(/\r?\n$/, "");
}
