/** A longer line is left out: it is nothing that could be kept. */
const LINE_BYTES = 64 * 1024 * 1024;

const LINE_FEED = 10;

/** Splits what comes into lines, in memory of a fixed size. */
export async function* linesOf(
  chunks: AsyncIterable<Buffer>,
  lineBytes: number = LINE_BYTES,
): AsyncGenerator<string> {
  let pieces: Buffer[] = [];
  let length = 0;
  const add = (piece: Buffer) => {
    length += piece.length;
    if (length <= lineBytes) pieces.push(piece);
    else pieces = [];
  };
  const take = (): string | undefined => {
    const line = length > lineBytes ? undefined : Buffer.concat(pieces).toString();
    pieces = [];
    length = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      add(chunk.subarray(start, end));
      start = end + 1;
      const line = take();
      if (line !== undefined) yield line;
    }
    add(chunk.subarray(start));
  }
  const rest = take();
  if (rest) yield rest;
}
