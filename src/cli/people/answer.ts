import { Command, Option } from "commander";
import { ApprovalScope, type InteractionRecord, type ResponseBody } from "../../protocol/index.ts";
import { idOfKey } from "../key.ts";
import { Given } from "../read-given.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import type { Io } from "../io.ts";
import { collect, dataOption } from "../options.ts";
import { TransportError } from "../../transport/index.ts";
import { Connection } from "../server/connection.ts";
import { promptPath } from "../server/paths.ts";
import { actionOf, type AnswerFlags, toBody, WAYS } from "./answer-body.ts";
import { yourDecision } from "./ended.ts";
import { findPrompt } from "./open-prompts.ts";
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
    .argument("<id>", "the prompt, as beckon inbox lists it; the beginning of its id is enough")
    .option("--approve", "allow it")
    .addOption(new Option("--scope <scope>", "for how long").choices(ApprovalScope.options))
    .option("--option <id>", "one of the asker's own choices")
    .option("--edit <json>", "allow it with this input instead")
    .option("--deny", "deny an approval, or refuse a question")
    .option("--reason <text>", "why it is denied, for the agent")
    .option("--stop", "deny, and end the turn")
    .option("--submit <json>", "send a form or answers as a JSON object; - reads it from stdin")
    .option("--answer <value>", "the answer; NAME=VALUE where there are several fields", collect)
    .option("--cancel", "skip it: no answer")
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
    const server = new Connection(io, options.data);
    const { id: whole } = await findPrompt(server, id).catch(explain);
    return answerInTerminal(io, terminal, { data: options.data, id: whole });
  }
  const submit = options.submit && (await new Given(io).text(options.submit, "--submit"));
  await send(io, id, { action, options: { ...options, submit } }).catch(explain);
}

async function send(
  io: Io,
  given: string,
  { action, options }: { action: ResponseBody["action"]; options: Options },
): Promise<void> {
  const server = new Connection(io, options.data);
  const { id, request } = await findPrompt(server, given);
  const body = toBody(action, options, request);
  const sent = { ...body, responseId: idOfKey(options.key) };
  const record = await server.post<InteractionRecord>(`${promptPath(id)}/respond`, sent, {
    repeatable: true,
    headers: { "x-client-id": "cli" },
  });
  if (options.json) io.out(JSON.stringify(record));
  io.err(yourDecision(body, request));
}

/** Why the server refused, in this command's own words. */
function explain(error: unknown): never {
  if (!(error instanceof TransportError) || error.status === 401) throw error;
  const lines = refusalLines(toRefusal(error.details));
  throw new CommandFailure(lines.join("\n"), EXIT.failure, { cause: error });
}
