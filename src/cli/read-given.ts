import { createReadStream } from "node:fs";
import { LIMITS } from "../protocol/index.ts";
import { CommandFailure, EXIT } from "./failure.ts";
import type { Io } from "./io.ts";

/** Lends each command its stdin once: two options cannot both read it. */
export class Given {
  readonly #io: Io;
  #readBy: string | undefined;

  constructor(io: Io) {
    this.#io = io;
  }

  /** The text of an argument, which `-` says is on stdin. */
  async text(argument: string, name: string): Promise<string> {
    return argument === "-" ? (await this.#stdin(name)).trimEnd() : argument;
  }

  /** The text of a file, or for `-` of stdin. */
  async file(path: string, name: string): Promise<string> {
    if (path === "-") return this.#stdin(name);
    try {
      return await readText(createReadStream(path), `${name}: ${path}`);
    } catch (error) {
      if (error instanceof CommandFailure) throw error;
      const { code } = error as NodeJS.ErrnoException;
      throw new CommandFailure(`${name}: ${path} cannot be read (${code}).`, EXIT.usage);
    }
  }

  async json(path: string, name: string): Promise<unknown> {
    return parseJson(await this.file(path, name), path === "-" ? `${name} on stdin` : path);
  }

  async #stdin(name: string): Promise<string> {
    if (this.#readBy !== undefined) {
      throw new CommandFailure(
        `${this.#readBy} and ${name} cannot both be read from stdin.`,
        EXIT.usage,
      );
    }
    this.#readBy = name;
    return readText(this.#io.stdin?.() ?? [], name);
  }
}

/** Reads to the end, or to where it is more than the server takes: what is piped in may have none. */
async function readText(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  name: string,
): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of source) {
    bytes += piece.length;
    if (bytes > LIMITS.messageBytes) {
      const most = `${LIMITS.messageBytes / 1_024} KiB`;
      throw new CommandFailure(`${name} is larger than ${most}.`, EXIT.usage);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandFailure(`${name} is not JSON: ${(error as Error).message}`, EXIT.usage);
  }
}
