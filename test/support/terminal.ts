import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";

interface TerminalOptions {
  columns?: number;
  rows?: number;
  env?: Record<string, string | undefined>;
}

/** How long a test waits for something. */
const PATIENCE_MS = 15_000;
/** How long one looks whether a key has done anything. */
const SOON_MS = 2_000;
const BETWEEN_KEYS_MS = 150;

/**
 * A command in a real terminal, as `script` makes one. What it writes is drawn as a terminal would
 * draw it, so that tests read the screen and not the bytes.
 */
export class Terminal {
  /** Everything that came, byte for byte. */
  raw = "";
  readonly #child: ChildProcess;
  readonly #paper = new Paper();
  readonly #wakeUps = new Set<() => void>();
  #code: number | null | undefined;

  /** @param command as a shell takes it */
  constructor(command: string, { columns = 80, rows = 30, env = {} }: TerminalOptions = {}) {
    const sized = `stty cols ${columns} rows ${rows}; ${command}`;
    this.#child = spawn("script", ["-qec", sized, "/dev/null"], {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, TERM: "xterm-256color", NO_COLOR: "1", SHELL: "/bin/sh", ...env },
    });
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.raw += text;
      this.#paper.write(text);
      this.#wake();
    });
    this.#child.on("close", (code) => {
      this.#code = code;
      this.#wake();
    });
  }

  /** All lines that are on the screen, or were and have scrolled away. */
  get screen(): string {
    return this.#paper.text;
  }

  /** Presses one key as a person does: not in the same instant as the one before. */
  async press(key: string): Promise<void> {
    await setTimeout(BETWEEN_KEYS_MS);
    this.type(key);
  }

  /**
   * Presses a key that decides. On a busy machine one may arrive with the one before, and counts for
   * nothing: then it is pressed again, as a person does who sees that nothing has happened. The same
   * lines drawn again, of which the last may not have come yet, are nothing that has happened.
   */
  async decide(key: string): Promise<void> {
    const until = performance.now() + PATIENCE_MS;
    const shown = () => this.screen.replaceAll(/Time left .*/g, "");
    const before = shown();
    const isDone = () => this.#code !== undefined || !before.startsWith(shown());
    while (!isDone()) {
      if (performance.now() > until) throw new Error(`"${key}" decides nothing:\n${this.screen}`);
      await this.press(key);
      await this.#within(SOON_MS, isDone);
    }
  }

  /** Types; Enter is `\r`, Escape `\u001B`, Ctrl+C `\u0003`. */
  type(keys: string): void {
    this.#child.stdin?.write(keys);
  }

  /** Waits until this stands on the screen, `times` times. */
  async sees(what: string, times = 1): Promise<void> {
    await this.#until(() => this.screen.split(what).length > times, `see "${what}"`);
  }

  /** Waits until these bytes have come, `times` times; for what cannot be seen on the screen. */
  async hears(bytes: string, times = 1): Promise<void> {
    await this.#until(() => this.raw.split(bytes).length > times, `hear ${JSON.stringify(bytes)}`);
  }

  /** Its exit code, when it has ended. */
  async end(): Promise<number | null> {
    if (this.#code === undefined) await once(this.#child, "close");
    return this.#code ?? null;
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  async #until(done: () => boolean, what: string): Promise<void> {
    await this.#within(PATIENCE_MS, () => done() || this.#code !== undefined);
    if (done()) return;
    const why = this.#code === undefined ? "" : `It ended with ${this.#code}. `;
    throw new Error(`${why}Could not ${what}:\n${this.screen}`);
  }

  async #within(ms: number, done: () => boolean): Promise<void> {
    const late = new AbortController();
    const timer = globalThis.setTimeout(() => late.abort(), ms);
    while (!done() && !late.signal.aborted) await this.#change(late.signal);
    clearTimeout(timer);
  }

  #change(late: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#wakeUps.delete(wake);
        late.removeEventListener("abort", wake);
        resolve();
      };
      this.#wakeUps.add(wake);
      late.addEventListener("abort", wake);
    });
  }

  #wake(): void {
    for (const wake of this.#wakeUps) wake();
  }
}

// oxlint-disable-next-line no-control-regex
const SEQUENCE = /^\u001B\[[?\d;]*[A-Za-z]/;
// oxlint-disable-next-line no-control-regex
const UNFINISHED = /^\u001B(\[[?\d;]*)?$/;

/** Lines as a terminal keeps them, as far as we write to one. */
class Paper {
  #lines: string[][] = [[]];
  #row = 0;
  #column = 0;
  #rest = "";

  get text(): string {
    return this.#lines.map((line) => line.join("").trimEnd()).join("\n");
  }

  write(text: string): void {
    let rest = this.#rest + text;
    this.#rest = "";
    while (rest !== "") {
      if (UNFINISHED.test(rest)) {
        this.#rest = rest;
        return;
      }
      const [piece = ""] = SEQUENCE.exec(rest) ?? [String.fromCodePoint(rest.codePointAt(0) ?? 0)];
      rest = rest.slice(piece.length);
      if (piece.length > 2 && piece.startsWith("\u001B[")) this.#control(piece);
      else this.#put(piece);
    }
  }

  #put(character: string): void {
    if (character === "\r") this.#column = 0;
    else if (character === "\n") {
      this.#row++;
      this.#lines[this.#row] ??= [];
    } else {
      const line = (this.#lines[this.#row] ??= []);
      while (line.length < this.#column) line.push(" ");
      line[this.#column++] = character;
    }
  }

  #control(sequence: string): void {
    const count = Number(/\d+/.exec(sequence)?.[0] ?? 1);
    switch (sequence.at(-1)) {
      case "A":
        this.#row = Math.max(0, this.#row - count);
        break;
      case "G":
        this.#column = count - 1;
        break;
      case "J":
        this.#lines.length = this.#row + 1;
        this.#lines[this.#row] = (this.#lines[this.#row] ?? []).slice(0, this.#column);
    }
  }
}
