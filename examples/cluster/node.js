import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { note } from "../unkillable/lives.js";

const BIN = fileURLToPath(new URL("../../bin/beckon.js", import.meta.url));
const RELEASE = fileURLToPath(new URL("../unkillable/release", import.meta.url));

/** One `beckon serve` of several on one PostgreSQL. It can be killed, and comes back. */
export class Node {
  #options;
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #child;
  #listening = Promise.resolve();

  /**
   * @param {{
   *   name: string, data: string, store: string, host: string, lives: string, log: string,
   *   effects: string,
   *   onListening: (name: string, url: string) => void, onGone: (name: string) => void,
   * }} options `host`: how clients reach it, through the proxy
   */
  constructor(options) {
    this.#options = options;
    const plugins = join(options.data, "plugins");
    mkdirSync(plugins, { recursive: true, mode: 0o700 });
    mkdirSync(options.effects, { recursive: true });
    // The outside world of the release is one, whichever node makes it.
    symlinkSync(options.effects, join(plugins, "release"));
  }

  get name() {
    return this.#options.name;
  }

  /** Resolves when it listens. */
  start() {
    this.#listening = this.#start();
    return this.#listening;
  }

  async #start() {
    const { name, data, store, host, lives, log, onListening, onGone } = this.#options;
    const flags = ["--port", "0", "--data", data, "--node", name, "--allow-host", host];
    const errors = openSync(log, "a");
    const child = spawn(
      process.execPath,
      [BIN, "serve", ...flags, "--plugins", RELEASE, "--json"],
      {
        stdio: ["ignore", "pipe", errors],
        env: { ...process.env, BECKON_LOG: "info", BECKON_STORE: store },
        // In a group of its own: Ctrl+C in the terminal reaches only who can tidy up.
        detached: true,
      },
    );
    closeSync(errors);
    this.#child = child;
    const pid = Number(child.pid);
    note(lives, "started", pid);
    child.once("exit", (code, signal) => {
      note(lives, "ended", pid, signal ?? String(code));
      onGone(name);
    });
    const stdout = /** @type {import("node:stream").Readable} */ (child.stdout);
    for await (const line of createInterface({ input: stdout })) {
      note(lives, "listening", pid);
      onListening(name, new URL(JSON.parse(line).url).origin);
      return;
    }
    throw new Error(`${name} ended before it listened. It wrote to ${log}`);
  }

  async kill() {
    const ended = this.#ended();
    if (this.#child?.kill("SIGKILL")) note(this.#options.lives, "killed", Number(this.#child.pid));
    await ended;
  }

  /** Ends it as an update does, in its own time. */
  async stop() {
    const ended = this.#ended();
    this.#child?.kill("SIGTERM");
    await ended;
  }

  async #ended() {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    await once(child, "exit");
  }
}
