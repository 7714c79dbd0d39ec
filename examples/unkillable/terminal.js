import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { styled } from "./say.js";

/**
 * Lines from a person. What they have typed so far stays when something happens meanwhile: news go
 * into the words before the cursor, which are drawn anew in place.
 */
export class Terminal {
  #silent = false;
  #lines;
  #isTty = process.stdin.isTTY && process.stdout.isTTY;
  #status = "";
  /** @type {((line: string) => void) | undefined} */
  #take;
  /** Lines that came before anybody asked; only from a pipe. In a terminal nobody answers unasked. */
  #early = /** @type {string[]} */ ([]);

  /** @param {() => void} onInterrupt called for Ctrl+C and when the input ends */
  constructor(onInterrupt) {
    const output = new Writable({
      write: (piece, _encoding, done) => {
        if (!this.#silent) process.stdout.write(piece);
        done();
      },
    });
    // Without a history, so that a secret cannot be fetched back with the arrow keys.
    this.#lines = createInterface({
      input: process.stdin,
      output,
      terminal: this.#isTty,
      historySize: 0,
    });
    this.#lines.setPrompt("");
    this.#lines.on("line", (line) => {
      if (this.#take) this.#take(line);
      else if (!this.#isTty) this.#early.push(line);
    });
    this.#lines.on("SIGINT", onInterrupt);
    this.#lines.on("close", () => this.#isTty && onInterrupt());
  }

  /** @param {string} text */
  print(text) {
    process.stdout.write(`${text}\n`);
  }

  /** @param {string} status shown before the cursor, such as how often the server was killed */
  setStatus(status) {
    if (status === this.#status) return;
    this.#status = status;
    if (this.#take && this.#isTty && !this.#silent) this.#draw();
  }

  /**
   * One line. Rejects when the signal aborts: somebody else has answered.
   *
   * @param {{ signal: AbortSignal, secret?: boolean }} options
   * @returns {Promise<string>}
   */
  ask({ signal, secret = false }) {
    return new Promise((resolve, reject) => {
      const end = () => {
        this.#take = undefined;
        this.#silent = false;
        signal.removeEventListener("abort", onAbort);
      };
      const onAbort = () => {
        if (this.#isTty) this.#lines.write(null, { ctrl: true, name: "u" });
        end();
        this.print("");
        reject(new Error("Interrupted"));
      };
      if (signal.aborted) return reject(new Error("Interrupted"));
      signal.addEventListener("abort", onAbort);
      this.#take = (line) => {
        const wasSilent = this.#silent;
        end();
        if (wasSilent || !this.#isTty) this.print("");
        resolve(line.trim());
      };
      this.#draw();
      this.#silent = secret;
      const early = this.#early.shift();
      if (early !== undefined) this.#take(early);
    });
  }

  close() {
    this.#lines.removeAllListeners("close");
    this.#lines.close();
  }

  #draw() {
    this.#lines.setPrompt(`${this.#status ? styled("dim", this.#status) + " " : ""}> `);
    this.#lines.prompt(true);
  }
}
