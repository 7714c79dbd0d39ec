import { Command } from "commander";
import { readHolder } from "../store/index.ts";
import { withData } from "./data.ts";
import { CommandFailure } from "./failure.ts";
import type { Io } from "./io.ts";
import { dataOption } from "./options.ts";

export function openCommand(io: Io): Command {
  return new Command("open")
    .description("print a fresh address of the running server, good for one sign-in")
    .addOption(dataOption(io.env))
    .action(async ({ data }: { data: string }) => {
      const holder = readHolder(data);
      if (!holder) {
        throw new CommandFailure(`No server is running on ${data}. Start one with: beckon serve`);
      }
      if (holder.url === undefined) {
        throw new CommandFailure(`The server on ${data} is still starting. Try again in a moment.`);
      }
      const code = await withData({ directory: data }, ({ credentials }) =>
        credentials.createSigninCode(),
      );
      io.out(addressWithCode(holder.url, code));
      io.err("Open it within a minute. It works once.");
    });
}

/** The code stands in the fragment, which browsers keep to themselves. */
export function addressWithCode(url: string, code: string): string {
  return new URL(`#code=${code}`, url).href;
}
