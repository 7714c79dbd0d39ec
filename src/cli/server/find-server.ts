import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readHolder } from "../../store/index.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import type { Io } from "../io.ts";

/** Where the server is: as the environment says, else as the one on the data directory says. */
export function findAddress(io: Io, data: string): string | undefined {
  const given = io.env["BECKON_URL"];
  if (!given) return readHolder(data)?.url;
  if (URL.canParse(given) && /^https?:/i.test(given)) return given;
  throw new CommandFailure(`BECKON_URL is no address of a server: "${given}".`, EXIT.usage);
}

export function noServer(data: string): string {
  return `No server of Beckon is running on ${data}. Start one with: beckon serve`;
}

/**
 * With what to come in: the token of the environment, else the first of these files of the data
 * directory that is there.
 */
export function readToken(io: Io, data: string, files: readonly string[] = ["token"]): string {
  const given = io.env["BECKON_TOKEN"];
  if (given) return checkedToken(given);
  for (const name of files) {
    try {
      return readFileSync(join(data, name), "utf8").trim();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") continue;
      throw new CommandFailure(`The token in ${data} cannot be read (${code}).`, EXIT.notSignedIn, {
        cause: error,
      });
    }
  }
  throw new CommandFailure(
    `There is no token in ${data}. Set BECKON_TOKEN to one of: beckon token create`,
    EXIT.notSignedIn,
  );
}

/** What a header cannot carry is no token, and would fail there with an error of the system's. */
function checkedToken(token: string): string {
  if (/^[!-~]+$/.test(token)) return token;
  throw new CommandFailure(
    "BECKON_TOKEN is no token. Make one with: beckon token create",
    EXIT.notSignedIn,
  );
}
