import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withData } from "../../src/cli/data.ts";
import { run } from "../../src/cli/program.ts";
import { InboxPerson } from "./inbox-person.ts";

export interface Ran {
  exitCode: number;
  out: string[];
  err: string;
}

export interface Circumstances {
  env?: Record<string, string>;
  stdin?: string;
  isTerminal?: boolean;
}

/** A command that runs, in this process. */
export interface Running {
  done: Promise<Ran>;
  /** As Ctrl+C does. */
  stop(): void;
  /** When this has been said on stderr. */
  said(words: string): Promise<void>;
}

/** A real server and real commands that talk to it, all in this process, on a data directory. */
export class CommandLine {
  readonly folder = mkdtempSync(join(tmpdir(), "beckon-ask-"));
  readonly data = join(this.folder, "data");
  url = "";
  #server: Running | undefined;
  #arguments: string[] = [];

  static async start(...serveArguments: string[]): Promise<CommandLine> {
    const at = new CommandLine();
    await at.serve(...serveArguments);
    return at;
  }

  /** Starts a server, with the same arguments as before if there are none. */
  async serve(...serveArguments: string[]): Promise<void> {
    if (serveArguments.length > 0) this.#arguments = serveArguments;
    const port = this.url === "" ? "0" : new URL(this.url).port;
    const lines = this.start(["serve", "--port", port, "--json", ...this.#arguments]);
    this.#server = lines;
    const { url } = JSON.parse(await lines.firstLine) as { url: string };
    this.url = new URL(url).origin;
  }

  async stopServer(): Promise<void> {
    this.#server?.stop();
    await this.#server?.done;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopServer();
    rmSync(this.folder, { recursive: true, force: true });
  }

  get token(): string {
    return readFileSync(join(this.data, "token"), "utf8").trim();
  }

  person(): Promise<InboxPerson> {
    return InboxPerson.connect(this.url, this.token);
  }

  async machine(sessionId?: string): Promise<string> {
    const holder = { kind: "machine", name: "ci" } as const;
    const made = await withData({ directory: this.data }, ({ credentials }) =>
      credentials.createToken({ holder, sessionId }),
    );
    return made.token;
  }

  async http(method: string, path: string, body?: unknown) {
    const response = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${this.token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return response.json();
  }

  beckon(...args: string[]): Promise<Ran> {
    return this.start(args).done;
  }

  start(args: string[], given: Circumstances = {}): Running & { firstLine: Promise<string> } {
    const { env = {}, stdin, isTerminal } = given;
    const stop = new AbortController();
    const out: string[] = [];
    const err: string[] = [];
    const heard = new Set<() => void>();
    const tell = () => heard.forEach((wake) => wake());
    const until = (isSo: () => boolean) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (!isSo()) return;
          heard.delete(look);
          resolve();
        };
        heard.add(look);
        look();
      });
    let ended = false;
    const code = run(args, {
      out(line) {
        out.push(line);
        tell();
      },
      err(line) {
        err.push(line);
        tell();
      },
      ...(stdin === undefined ? {} : { stdin: () => textOf(stdin) }),
      isTerminal,
      env: { BECKON_DATA: this.data, BECKON_LOG: "silent", ...env },
      stopSignal: () => stop.signal,
    });
    const done = code.then((exitCode) => {
      ended = true;
      tell();
      return { exitCode, out, err: err.join("\n") };
    });
    return {
      done,
      stop: () => stop.abort(),
      firstLine: until(() => ended || out.length > 0).then(() => out[0] ?? err.join("\n")),
      said: (words) => until(() => ended || err.join("\n").includes(words)),
    };
  }
}

async function* textOf(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}
