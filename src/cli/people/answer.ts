import { Command, Option } from "commander";
import { ApprovalScope, type InteractionRecord } from "../../protocol/index.ts";
import { idOfKey } from "../key.ts";
import { Given } from "../read-given.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import type { Io } from "../io.ts";
import { collect, dataOption } from "../options.ts";
import { Connection, Refused } from "../server/connection.ts";
import { promptPath } from "../server/paths.ts";
import { actionOf, type AnswerFlags, toBody, WAYS } from "./answer-body.ts";
import { youDid } from "./ended.ts";
import { refusalLines, toRefusal } from "./refusal.ts";
import { answerInTerminal } from "./terminal/answer-in-terminal.ts";

interface Options extends AnswerFlags {
  data: string;
  json?: boolean;
  key?: string;
}

export function answerCommand(io: Io): Command {
  return new Command("answer")
    .description("answer one prompt: by flags, or in a terminal by keys")
    .argument("<id>", "the prompt, as beckon inbox lists it")
    .option("--approve", "allow it")
    .addOption(new Option("--scope <scope>", "for how long").choices(ApprovalScope.options))
    .option("--option <id>", "one of the asker's own choices")
    .option("--edit <json>", "allow it with this input instead")
    .option("--deny", "deny an approval, or decline a question")
    .option("--reason <text>", "why it is denied, for the agent")
    .option("--stop", "deny, and end the turn")
    .option("--submit <json>", "send a form or answers as a JSON object; - reads it from stdin")
    .option("--answer <name=value>", "one field, or a question by its number; repeatable", collect)
    .option("--cancel", "send a form back without filling it in")
    .option("--key <id>", "the same answer again under the same key counts once")
    .option("--json", "print the prompt as it stands afterwards, as one JSON object")
    .addOption(dataOption(io.env))
    .action((id: string, options: Options) => answer(io, id, options));
}

async function answer(io: Io, id: string, options: Options): Promise<void> {
  const action = actionOf(options);
  if (action === undefined) {
    const terminal = options.json ? undefined : io.terminal?.();
    if (!terminal) throw new CommandFailure(WAYS, EXIT.usage);
    return answerInTerminal(io, terminal, { data: options.data, id });
  }
  const submit = options.submit && (await new Given(io).text(options.submit, "--submit"));
  const server = new Connection(io, options.data);
  const path = promptPath(id);
  try {
    const { request } = await server.get<InteractionRecord>(path);
    const body = toBody(action, { ...options, submit }, request);
    const sent = { ...body, responseId: idOfKey(options.key) };
    const record = await server.post<InteractionRecord>(`${path}/respond`, sent, {
      repeatable: true,
      headers: { "x-client-id": "cli" },
    });
    if (options.json) io.out(JSON.stringify(record));
    io.err(youDid(body, request));
  } catch (error) {
    if (!(error instanceof Refused) || error.status === 401) throw error;
    const lines = refusalLines(toRefusal(error.details));
    throw new CommandFailure(lines.join("\n"), EXIT.failure, { cause: error });
  }
}
