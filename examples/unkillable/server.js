import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { note } from "./lives.js";

const BIN = fileURLToPath(new URL("../../bin/beckon.js", import.meta.url));
const RELEASE = fileURLToPath(new URL("release", import.meta.url));

/** @typedef {{ pid: number, listening: boolean }} Life */

/**
 * Keeps a `beckon serve` alive: when it is killed, the next one starts at once, on the same port and
 * the same data directory.
 */
export class Server {
  #options;
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #child;
  #port;
  #stopping = false;
  #running = Promise.resolve();

  /**
   * @param {{
   *   data: string, lives: string, log: string, port: number,
   *   onLife: (life: Life | null) => void,
   *   onFailure: (error: Error) => void,
   * }} options
   */
  constructor(options) {
    this.#options = options;
    this.#port = options.port;
  }

  /** Resolves with the address when it listens for the first time. @returns {Promise<string>} */
  start() {
    return new Promise((resolve, reject) => {
      this.#running = this.#keep(resolve).catch((error) => {
        reject(error);
        this.#options.onFailure(error);
      });
    });
  }

  /** Ends it as a person would, with SIGTERM, and does not start it again. */
  async stop() {
    this.#stopping = true;
    this.#child?.kill("SIGTERM");
    await this.#running;
  }

  /** @param {(url: string) => void} onUrl */
  async #keep(onUrl) {
    while (!this.#stopping) {
      const { code, signal } = await this.#live(onUrl);
      if (signal === "SIGKILL" || this.#stopping) continue;
      throw new Error(
        `The server ended by itself (${signal ?? code}). It wrote to ${this.#options.log}`,
      );
    }
  }

  /** @param {(url: string) => void} onUrl */
  async #live(onUrl) {
    const { data, lives, log, onLife } = this.#options;
    const flags = ["--port", String(this.#port), "--data", data, "--plugins", RELEASE, "--json"];
    const errors = openSync(log, "a");
    const child = spawn(process.execPath, [BIN, "serve", ...flags], {
      stdio: ["ignore", "pipe", errors],
      env: { ...process.env, BECKON_LOG: "info" },
      // In a group of its own: Ctrl+C in the terminal reaches only who can tidy up.
      detached: true,
    });
    closeSync(errors);
    const pid = Number(child.pid);
    const ended = once(child, "exit");
    this.#child = child;
    note(lives, "started", pid);
    onLife({ pid, listening: false });
    const stdout = /** @type {import("node:stream").Readable} */ (child.stdout);
    createInterface({ input: stdout }).once("line", (line) => {
      const { port, url } = JSON.parse(line);
      this.#port = port;
      note(lives, "listening", pid);
      onLife({ pid, listening: true });
      onUrl(new URL(url).origin);
    });
    const [code, signal] = await ended;
    note(lives, "ended", pid, signal ?? String(code));
    onLife(null);
    return { code, signal };
  }
}
