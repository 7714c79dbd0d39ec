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
      const holder = readHolder(data);
      if (!holder) {
        throw new CommandFailure(`No server is running on ${data}. Start one with: beckon serve`);
      }
      if (holder.url === undefined) {
        throw new CommandFailure(`The server on ${data} is still starting. Try again in a moment.`);
      }
      const code = await withData(
        { directory: data, url: storeOf(io.env, store) },
        ({ credentials }) => credentials.createSigninCode(),
      );
      io.out(addressWithCode(url ?? holder.url, code));
      io.err("Open it within a minute. It works once.");
    });
}

function parseUrl(text: string): string {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return new URL(text).origin;
  throw new InvalidArgumentError("Give an address as https://NAME.");
}
