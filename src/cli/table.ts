import { padTo, widthOf } from "./width.ts";

/** Rows under their headings, in columns as wide as they need; the last one is not padded. */
export function toTable(headings: string[], rows: string[][]): string[] {
  const table = [headings, ...rows];
  const widths = headings.map((_heading, column) =>
    Math.max(...table.map((row) => widthOf(row[column] ?? ""))),
  );
  return table.map((row) =>
    row
      .map((cell, column) => padTo(cell, widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
