import type { CommandLimits } from "./command-limits.ts";

export interface BoundedOutput {
  add(chunk: Buffer): void;
  /** Everything, or the beginning and the end with a line between that says what is missing. */
  finish(): { output: string; truncatedBytes?: number };
}

/** Keeps the beginning and the end of a stream of any length, in memory of a fixed size. */
export function createBoundedOutput(
  limits: Pick<CommandLimits, "headBytes" | "tailBytes">,
): BoundedOutput {
  const head = Buffer.alloc(limits.headBytes);
  const tail = Buffer.alloc(limits.tailBytes);
  let headLength = 0;
  /** How many bytes went past the head; the ring holds the last of them. */
  let past = 0;

  function addToTail(bytes: Buffer): void {
    const skipped = Math.max(0, bytes.length - tail.length);
    let position = (past + skipped) % Math.max(1, tail.length);
    for (let rest = bytes.subarray(skipped); rest.length > 0;) {
      const copied = rest.copy(tail, position);
      rest = rest.subarray(copied);
      position = (position + copied) % tail.length;
    }
    past += bytes.length;
  }

  function tailInOrder(): Buffer {
    if (past <= tail.length) return tail.subarray(0, past);
    const start = past % tail.length;
    return Buffer.concat([tail.subarray(start), tail.subarray(0, start)]);
  }

  return {
    add(chunk) {
      const copied = chunk.copy(head, headLength);
      headLength += copied;
      if (copied < chunk.length) addToTail(chunk.subarray(copied));
    },
    finish() {
      const first = head.subarray(0, headLength);
      if (past <= tail.length) return { output: Buffer.concat([first, tailInOrder()]).toString() };
      const before = withoutHalfCharacterAtEnd(first);
      const after = withoutHalfCharacterAtStart(tail.length > 0 ? tailInOrder() : tail);
      const truncatedBytes = headLength + past - before.length - after.length;
      const line = `[${truncatedBytes} bytes left out]`;
      return { output: `${before.toString()}\n${line}\n${after.toString()}`, truncatedBytes };
    },
  };
}

const isContinuation = (byte: number | undefined) => byte !== undefined && byte >> 6 === 0b10;

function withoutHalfCharacterAtStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start++;
  return bytes.subarray(start);
}

function withoutHalfCharacterAtEnd(bytes: Buffer): Buffer {
  let lead = bytes.length - 1;
  while (lead >= 0 && lead > bytes.length - 4 && isContinuation(bytes[lead])) lead--;
  const needed = lengthByLead(bytes[lead] ?? 0);
  return lead + needed > bytes.length ? bytes.subarray(0, lead) : bytes;
}

function lengthByLead(byte: number): number {
  if (byte >= 0xf0) return 4;
  if (byte >= 0xe0) return 3;
  return byte >= 0xc0 ? 2 : 1;
}
