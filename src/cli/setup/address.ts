import { readHolder } from "../../store/index.ts";
import type { Io } from "../io.ts";
import { freshAddress } from "../open.ts";
import { storeOf } from "../options.ts";
import { dataArguments, quoted } from "../shell-words.ts";
import { isClone } from "./is-clone.ts";

/** Of the server that runs, if one does. */
export async function addressOf(io: Io, data: string): Promise<string | undefined> {
  if (readHolder(data)?.url === undefined) return undefined;
  return freshAddress({ data, store: storeOf(io.env, undefined) });
}

export function sayAddress(
  io: Io,
  data: string,
  address: string | undefined,
  isChanged: boolean,
): void {
  const start = [isClone() ? "npm start" : "beckon serve", ...startArguments(data)].join(" ");
  if (address === undefined) io.out(`Start the server, and it prints its address: ${start}`);
  else {
    io.out(`Beckon listens on ${address}`);
    io.err("Open it within a minute. It works once.");
    if (isChanged) io.err("What was set counts from the server's next start.");
  }
}

function startArguments(data: string): string[] {
  const given = dataArguments(data).map(quoted);
  return given.length > 0 && isClone() ? ["--", ...given] : given;
}
