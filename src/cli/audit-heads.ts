import { Command } from "commander";
import { exportHeads } from "../store/index.ts";
import { CommandFailure, EXIT } from "./failure.ts";
import type { Io } from "./io.ts";
import { storeOf, storeOption } from "./options.ts";

export function auditHeadsCommand(io: Io): Command {
  return new Command("heads")
    .description("print how far each log of a PostgreSQL has come, to be kept elsewhere")
    .addOption(storeOption())
    .action(async ({ store }: { store?: string }) => {
      const url = storeOf(io.env, store);
      if (url === undefined) {
        throw new CommandFailure(
          "A data directory has its heads in a file, audit-heads. Of a PostgreSQL name it with --store.",
          EXIT.usage,
        );
      }
      await exportHeads({ url }, (line) => io.out(line.trimEnd()));
    });
}
