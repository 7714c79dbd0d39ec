/** The rows of a table written as text: a case a line, its cells between bars, `#` for a heading. */
export function readTable(table: string): string[][] {
  return table
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split(" | "));
}

export const depth = (levels: number) => `${"[".repeat(levels - 1)}1${"]".repeat(levels - 1)}`;
export const text = (length: number) => "x".repeat(length);
export const keys = (count: number) =>
  `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join()}}`;

/** A message of exactly so many bytes, in texts that are each short enough. */
export function body(bytes: number): string {
  const start = '{"content":"a","x":[';
  const piece = `"${text(9_997)}",`;
  const pieces = piece.repeat(Math.floor((bytes - start.length - 4) / piece.length));
  return `${start}${pieces}"${text(bytes - start.length - pieces.length - 4)}"]}`;
}
