import { Command, InvalidArgumentError } from "commander";
import { addressWithCode } from "../server/index.ts";
import { readHolder } from "../store/index.ts";
import { withData } from "./data.ts";
import { CommandFailure } from "./failure.ts";
import type { Io } from "./io.ts";
import { dataOption, storeOf, storeOption } from "./options.ts";

export function openCommand(io: Io): Command {
  return new Command("open")
    .description("print a fresh address of the running server, good for one sign-in")
    .option("--url <address>", "with the address that you reach it by, as behind a proxy", parseUrl)
    .addOption(dataOption(io.env))
    .addOption(storeOption())
    .action(async ({ data, store, url }: { data: string; store?: string; url?: string }) => {
      const address = await freshAddress({ data, store: storeOf(io.env, store), url });
      io.out(address);
      io.err("Open it within a minute. It works once.");
    });
}

/** An address of the server that runs on a data directory, good for one sign-in. */
export async function freshAddress(place: {
  data: string;
  store: string | undefined;
  url?: string | undefined;
}): Promise<string> {
  const { data, store, url } = place;
  const holder = readHolder(data);
  if (!holder) {
    throw new CommandFailure(`No server is running on ${data}. Start one with: beckon serve`);
  }
  if (holder.url === undefined) {
    throw new CommandFailure(`The server on ${data} is still starting. Try again in a moment.`);
  }
  const code = await withData({ directory: data, url: store }, ({ credentials }) =>
    credentials.createSigninCode(),
  );
  return addressWithCode(url ?? holder.url, code);
}

function parseUrl(text: string): string {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return new URL(text).origin;
  throw new InvalidArgumentError("Give an address as https://NAME.");
}
