import { Command } from "commander";
import { timeOption } from "../duration.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import type { Io } from "../io.ts";
import { dataOption } from "../options.ts";
import { Connection } from "../server/connection.ts";
import { after, findPrompt, report, reportInterrupted, untilEnded } from "./follow.ts";
import { jsonOption } from "./options.ts";

interface Options {
  data: string;
  timeout?: number;
  json?: boolean;
}

export function waitCommand(io: Io): Command {
  return new Command("wait")
    .description("wait for the answer to what was asked before, and print it")
    .argument("<id>", "of the prompt")
    .addOption(
      timeOption("how long to wait: 90s, 10m, 2h, 7d; then end with 8 (default: for ever)"),
    )
    .addOption(jsonOption())
    .addOption(dataOption(io.env))
    .action((id: string, options: Options) => wait(io, id, options));
}

async function wait(io: Io, id: string, { data, timeout, json }: Options): Promise<void> {
  const stop = io.stopSignal(EXIT.interrupted);
  const connection = new Connection(io, data);
  const over = after(timeout ?? Infinity);
  const signal = AbortSignal.any([stop, over]);
  const prompt = await findPrompt(connection, id, signal).catch((error: unknown) => {
    if (stop.aborted) throw new CommandFailure("Interrupted.", EXIT.interrupted);
    throw over.aborted ? notHeard(id) : error;
  });
  const end = await untilEnded(connection, prompt, signal);
  if (end.status === "pending" && stop.aborted) reportInterrupted(io, end, json);
  report(io, end, json);
}

function notHeard(id: string): CommandFailure {
  return new CommandFailure(
    `The server is away, and has not said what became of it. Ask later: beckon wait ${id}`,
    EXIT.pending,
  );
}
