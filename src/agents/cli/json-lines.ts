/** A line of Claude Code is one message; a longer one than this is no message that we could keep. */
const MAX_LINE_CHARACTERS = 64 * 1024 * 1024;

/** Reads JSON objects, one a line; a line that is none says nothing to us. */
export async function* readLines(
  input: AsyncIterable<Uint8Array>,
): AsyncGenerator<Record<string, unknown>> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  let length = 0;
  for await (const bytes of input) {
    const [first = "", ...others] = decoder.decode(bytes, { stream: true }).split("\n");
    pieces.push(first);
    length += first.length;
    for (const piece of others) {
      yield* toMessage(pieces.join(""));
      pieces = [piece];
      length = piece.length;
    }
    if (length > MAX_LINE_CHARACTERS) throw new Error("Claude Code says a line that has no end.");
  }
  yield* toMessage(pieces.join(""));
}

function* toMessage(line: string): Generator<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null) yield value as Record<string, unknown>;
  } catch {
    // Somebody else wrote to its output.
  }
}
