import { Command } from "commander";
import { type MovePlace, moveStore } from "../store/index.ts";
import { makeDataDirectory } from "./data.ts";
import { CommandFailure, EXIT } from "./failure.ts";
import type { Io } from "./io.ts";
import { dataOption, storeOf } from "./options.ts";

interface Options {
  data: string;
  from?: string;
  to?: string;
}

export function moveCommand(io: Io): Command {
  return new Command("move")
    .description("copy everything from one store into another, empty one; no server may use them")
    .option("--from <place>", "a data directory, or postgres://…; without it what --data says")
    .option("--to <place>", "a data directory, or postgres://…; without it what BECKON_STORE says")
    .addOption(dataOption(io.env))
    .action((options: Options) => move(io, options));
}

async function move(io: Io, { data, from = data, ...options }: Options): Promise<void> {
  const to = storeOf(io.env, options.to);
  if (to === undefined) throw new CommandFailure("Say where to move it: --to PLACE", EXIT.usage);
  const target = toPlace(to);
  if ("directory" in target) makeDataDirectory(target.directory);
  const { sessions, events, rows, wasThere } = await moveStore(
    { from: toPlace(from), to: target },
    {
      progress(table, count) {
        if (count > 0) io.err(`${count} rows of ${table}`);
      },
    },
  );
  const what = `${sessions} sessions, ${events} events, audit whole`;
  io.out(wasThere ? `It was there already: ${what}.` : `Moved ${rows} rows: ${what}.`);
  io.err(
    "The old place still has everything. Start no server on it any more, or keep it as a backup.",
  );
}

function toPlace(place: string): MovePlace {
  return /^postgres(ql)?:/i.test(place) ? { url: place } : { directory: place };
}
