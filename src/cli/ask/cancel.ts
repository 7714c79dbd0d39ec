import { Command } from "commander";
import { visibleText } from "../../client/index.ts";
import type { InteractionRecord } from "../../protocol/index.ts";
import { CommandFailure } from "../failure.ts";
import type { Io } from "../io.ts";
import { dataOption } from "../options.ts";
import { TransportError } from "../../transport/index.ts";
import { Connection } from "../server/connection.ts";
import { promptPath } from "../server/paths.ts";
import { findPrompt } from "./follow.ts";
import { jsonOption } from "./options.ts";
import { outcomeOf, toJson } from "./outcome.ts";

interface Options {
  data: string;
  json?: boolean;
}

export function cancelCommand(io: Io): Command {
  return new Command("cancel")
    .description("withdraw what was asked before")
    .argument("<id>", "of the prompt")
    .addOption(jsonOption())
    .addOption(dataOption(io.env))
    .action((id: string, options: Options) => cancel(io, id, options));
}

async function cancel(io: Io, id: string, { data, json }: Options): Promise<void> {
  const connection = new Connection(io, data);
  const show = (prompt: InteractionRecord) => {
    if (json) io.out(JSON.stringify(toJson(prompt)));
  };
  try {
    show(await connection.post(`${promptPath(id)}/cancel`, {}, { repeatable: true }));
    io.err("Withdrawn.");
  } catch (error) {
    if (!(error instanceof TransportError) || error.status !== 409) throw error;
    const prompt = await findPrompt(connection, id);
    show(prompt);
    const { words } = outcomeOf(prompt);
    throw new CommandFailure(`It is too late to withdraw it. ${visibleText(words)}`);
  }
}
