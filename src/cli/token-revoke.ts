import { Command } from "commander";
import { withData } from "./data.ts";
import { CommandFailure } from "./failure.ts";
import type { Io } from "./io.ts";
import { dataOption, storeOf, storeOption } from "./options.ts";

export function tokenRevokeCommand(io: Io): Command {
  return new Command("revoke")
    .description("end a token now; who is connected with it is sent away")
    .argument("<id>", "as `beckon token list` shows it")
    .addOption(dataOption(io.env))
    .addOption(storeOption())
    .action(async (id: string, { data, store }: { data: string; store?: string }) => {
      const known = await withData(
        { directory: data, url: storeOf(io.env, store) },
        ({ credentials }) => credentials.revokeToken(id),
      );
      if (!known) {
        throw new CommandFailure(`There is no token ${id}. See: beckon token list`);
      }
      io.err(`The token ${id} is revoked.`);
    });
}
