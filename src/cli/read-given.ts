import { readFile } from "node:fs/promises";
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
      return await readFile(path, "utf8");
    } catch (error) {
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
    const pieces: Uint8Array[] = [];
    for await (const piece of this.#io.stdin?.() ?? []) pieces.push(piece);
    return Buffer.concat(pieces).toString("utf8");
  }
}

export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandFailure(`${name} is not JSON: ${(error as Error).message}`, EXIT.usage);
  }
}
