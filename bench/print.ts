import type { Figure, Figures } from "./figures.ts";
import type { Machine } from "./machine.ts";

export interface Report {
  command: string;
  machine: Machine;
  rounds: number;
  seconds: number;
  /** The other checkout that took part. */
  against?: string;
  figures: Figures;
}

export function toText(report: Report): string {
  const head = [...HEAD, ...(report.against === undefined ? [] : HEAD_AGAINST)];
  const rows = Object.entries(report.figures).map(([key, figure]) =>
    cells(key, figure).concat(cellsAgainst(figure)),
  );
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  const notes = Object.entries(report.figures).map(
    ([key, { what, reference }]) => `${key}: ${what}; bare: ${reference}`,
  );
  return [...headLines(report), "", line(head), ...rows.map(line), "", ...notes].join("\n");
}

/** What stands between the marks of docs/speed.md. */
export function toMarkdown(report: Report): string {
  const line = (row: string[]) => `| ${row.join(" | ")} |`;
  const isAgainst = report.against !== undefined;
  const rows = Object.entries(report.figures).map(([key, figure]) => {
    const { what, reference, unit, beckon, bare, spread, against } = figure;
    const shown = (value: number, range: [number, number]) =>
      `${value} ${unit} (${toRange(range)})`;
    const theirs = against
      ? [shown(against.value, against.spread), `${against.ratio} × (${toRange(against.ratios)})`]
      : ["", ""];
    return line([
      `\`${key}\``,
      `${what}; beside ${reference}`,
      shown(beckon, spread.beckon),
      shown(bare, spread.bare),
      ...verdict(figure),
      ...(isAgainst ? theirs : []),
    ]);
  });
  const head = ["figure", "what", "Beckon", "bare", "ratio", "target", "met"];
  if (isAgainst) head.push("against", "ours ÷ theirs");
  const rule = head.map(() => "---");
  return [headLines(report).join("\n"), "", line(head), line(rule), ...rows].join("\n");
}

const HEAD = ["figure", "unit", "Beckon", "(rounds)", "bare", "(rounds)", "ratio", "target", "met"];
const HEAD_AGAINST = ["against", "(rounds)", "ours ÷ theirs", "(rounds)"];

function cells(key: string, figure: Figure): string[] {
  const { unit, beckon, bare, spread } = figure;
  const [ours, theirs] = [toRange(spread.beckon), toRange(spread.bare)];
  return [key, unit, String(beckon), ours, String(bare), theirs, ...verdict(figure)];
}

/** Nothing for a figure that compares with another reference what a figure before it compared. */
function cellsAgainst({ against }: Figure): string[] {
  if (!against) return [];
  const { value, spread, ratio, ratios } = against;
  return [String(value), toRange(spread), `${ratio} ×`, toRange(ratios)];
}

function verdict({ ratio, target, met }: Figure): string[] {
  return [`${ratio} ×`, target, met === null ? "–" : met ? "yes" : "no"];
}

function toRange([least, most]: [number, number]): string {
  return `${least}–${most}`;
}

function headLines({ command, machine, rounds, seconds, against }: Report): string[] {
  return [
    `${machine.date}: \`${command}\`, medians of ${rounds} rounds, ${seconds} s in all.`,
    `Beckon ${machine.beckon}, Node ${machine.node}, ws ${machine.ws}, SQLite ${machine.sqlite}, PostgreSQL ${machine.postgres}.`,
    `${machine.os}, ${machine.cores} × ${machine.cpu}, ${machine.memoryGib} GiB of memory, ` +
      `load ${machine.load} before the run; a sync of the disk takes ${machine.diskSyncMs} ms.`,
    ...(against === undefined ? [] : [`Against: Beckon ${against}, in the same rounds.`]),
  ];
}
