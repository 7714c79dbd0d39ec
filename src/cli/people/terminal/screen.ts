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
    this.#output.write(this.#erased() + lines.map((line) => `${line}\r\n`).join(""));
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
    if (this.#view) this.#output.write(this.#erased() + this.#drawn(this.#view()));
  }

  clear(): void {
    this.#view = undefined;
    this.#output.write(this.#erased());
  }

  close(): void {
    this.clear();
    this.#output.off("resize", this.#onResize);
    process.off("exit", this.#restore);
    this.#restore();
  }

  #drawn({ lines, cursor }: View): string {
    const shown = lines.slice(-(this.rows - 1)).map((line) => this.#fitting(line));
    this.#cursorRow = Math.max(0, shown.length - 1);
    const text = shown.join("\r\n");
    if (!cursor) return text;
    const row = Math.max(0, cursor.row - (lines.length - shown.length));
    const up = this.#cursorRow - row;
    this.#cursorRow = row;
    return `${text}${up > 0 ? `\u001B[${up}A` : ""}\u001B[${cursor.column + 1}G${SHOW_CURSOR}`;
  }

  /** A line that does not fit would break the count of lines; its colours go, not its order. */
  #fitting(line: string): string {
    if (widthOf(line) <= this.columns) return line;
    // oxlint-disable-next-line no-control-regex
    return cut(line.replaceAll(/\u001B\[[\d;]*m/g, ""), this.columns);
  }

  #erased(): string {
    const up = this.#cursorRow > 0 ? `\u001B[${this.#cursorRow}A` : "";
    this.#cursorRow = 0;
    return `${HIDE_CURSOR}${up}\r${CLEAR_DOWN}`;
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
