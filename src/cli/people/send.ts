import { Command, Option } from "commander";
import { Delivery, type SessionRecord } from "../../protocol/index.ts";
import { idOfKey } from "../key.ts";
import { Given } from "../read-given.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import type { Io } from "../io.ts";
import { dataOption } from "../options.ts";
import { printText } from "../print-text.ts";
import { Connection } from "../server/connection.ts";
import { sessionPath } from "../server/paths.ts";
import { followTurn, type TurnStory } from "./follow-turn.ts";

interface Options {
  data: string;
  wait?: boolean;
  delivery?: Delivery;
  key?: string;
  json?: boolean;
}

export function sendCommand(io: Io): Command {
  return new Command("send")
    .description("send a message to a session")
    .argument("<id>", "the session, as beckon sessions lists it")
    .argument("<text>", "the message; - reads it from stdin")
    .option("--wait", "wait until its turn has ended, and print what the agent wrote")
    .addOption(
      new Option("--delivery <how>", "while a turn runs: wait for its end, join it, or end it")
        .choices(Delivery.options)
        .default("queue"),
    )
    .option("--key <id>", "the same message again under the same key is sent once")
    .option("--json", "print one JSON object")
    .addOption(dataOption(io.env))
    .action((id: string, text: string, options: Options) => send(io, id, text, options));
}

async function send(io: Io, sessionId: string, given: string, options: Options): Promise<void> {
  const { data, wait, delivery, json } = options;
  const text = await new Given(io).text(given, "the message");
  if (text === "") throw new CommandFailure("There is no message to send.", EXIT.usage);
  const messageId = idOfKey(options.key);
  const server = new Connection(io, data);
  const path = sessionPath(sessionId);
  if (!wait) {
    const body = { content: text, messageId, delivery };
    await server.post(`${path}/messages`, body, { repeatable: true });
    if (json) io.out(JSON.stringify({ sessionId, messageId }));
    return io.err("Sent.");
  }
  // Says what is wrong with the server, the token or the session before anything is sent.
  await server.get<SessionRecord>(path);
  const message = { text, messageId, delivery };
  const story = await followTurn(io, data, sessionId, message);
  if (json) io.out(JSON.stringify({ sessionId, messageId, ...story }));
  else if (story.text !== "") printText(io, story.text);
  endAs(story);
}

function endAs({ status, error }: TurnStory): void {
  if (status === "completed") return;
  if (status === "cancelled") throw new CommandFailure("The turn was cancelled.", EXIT.cancelled);
  throw new CommandFailure(error ?? "The turn ended before it was done.");
}
