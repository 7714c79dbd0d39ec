import type { WriteStream } from "node:tty";
import { cut, widthOf } from "../../width.ts";

const MAX_COLUMNS = 96;
const DEFAULT_ROWS = 24;

const HIDE_CURSOR = "\u001B[?25l";
const SHOW_CURSOR = "\u001B[?25h";
const PASTE_ON = "\u001B[?2004h";
const PASTE_OFF = "\u001B[?2004l";
const CLEAR_DOWN = "\u001B[J";

const STYLES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

export type Style = (text: string) => string;
export type Styles = Record<keyof typeof STYLES, Style>;

export interface View {
  lines: string[];
  /** Where somebody types. */
  cursor?: { row: number; column: number };
}

/**
 * A terminal's lines: those that are printed stay, and below them a few are drawn again and again.
 * Nothing of what was there before is touched.
 */
export class Screen {
  readonly style: Styles;
  readonly #output: WriteStream;
  /** In which of the drawn lines the cursor stands. */
  #cursorRow = 0;
  #view: (() => View) | undefined;

  constructor(output: WriteStream, { colours }: { colours: boolean }) {
    this.#output = output;
    this.style = toStyles(colours);
    this.#output.write(HIDE_CURSOR + PASTE_ON);
    this.#output.on("resize", this.#onResize);
    process.on("exit", this.#restore);
  }

  get columns(): number {
    return Math.min(this.#output.columns || 80, MAX_COLUMNS) - 1;
  }

  get rows(): number {
    return this.#output.rows || DEFAULT_ROWS;
  }

  /** Prints lines that stay. */
  print(lines: string[]): void {
    this.#erase();
    this.#output.write(lines.map((line) => `${line}\r\n`).join(""));
    this.refresh();
  }

  /**
   * Draws a view in the place of the one before, and again whenever the terminal gets another size
   * or `refresh` is called. Lines that do not fit in the columns are cut.
   */
  show(view: () => View): void {
    this.#view = view;
    this.refresh();
  }

  refresh(): void {
    if (!this.#view) return;
    const { lines, cursor } = this.#view();
    const shown = lines.slice(-(this.rows - 1));
    this.#erase();
    this.#write(shown);
    if (!cursor) return;
    const row = Math.max(0, cursor.row - (lines.length - shown.length));
    const up = shown.length - 1 - row;
    const move = up > 0 ? `\u001B[${up}A` : "";
    this.#output.write(`${move}\u001B[${cursor.column + 1}G${SHOW_CURSOR}`);
    this.#cursorRow = row;
  }

  clear(): void {
    this.#view = undefined;
    this.#erase();
  }

  close(): void {
    this.clear();
    this.#output.off("resize", this.#onResize);
    process.off("exit", this.#restore);
    this.#restore();
  }

  #write(lines: string[]): void {
    const fitting = lines.map((line) => (widthOf(line) > this.columns ? this.#cut(line) : line));
    this.#output.write(fitting.join("\r\n"));
    this.#cursorRow = Math.max(0, fitting.length - 1);
  }

  /** A line that does not fit would break the count of lines; its colours go, not its order. */
  #cut(line: string): string {
    // oxlint-disable-next-line no-control-regex
    return cut(line.replaceAll(/\u001B\[[\d;]*m/g, ""), this.columns);
  }

  #erase(): void {
    const up = this.#cursorRow > 0 ? `\u001B[${this.#cursorRow}A` : "";
    this.#output.write(`${HIDE_CURSOR}${up}\r${CLEAR_DOWN}`);
    this.#cursorRow = 0;
  }

  readonly #onResize = (): void => this.refresh();

  readonly #restore = (): void => {
    this.#output.write(SHOW_CURSOR + PASTE_OFF);
  };
}

function toStyles(colours: boolean): Styles {
  const entries = Object.entries(STYLES).map(([name, code]) => {
    const style: Style = (text) =>
      colours && text !== "" ? `\u001B[${code}m${text}\u001B[0m` : text;
    return [name, style];
  });
  return Object.fromEntries(entries) as Styles;
}
