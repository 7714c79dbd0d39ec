import { resolve } from "node:path";
import { Command } from "commander";
import type { AgentRecord, SessionRecord } from "../../protocol/index.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import type { Io } from "../io.ts";
import { dataOption } from "../options.ts";
import { Given } from "../read-given.ts";
import { Connection } from "../server/connection.ts";
import { sessionPath } from "../server/paths.ts";

interface Options {
  data: string;
  agent?: string;
  cwd?: string;
  model?: string;
  mode?: string;
  title?: string;
  json?: boolean;
}

export function newCommand(io: Io): Command {
  return new Command("new")
    .description("start a session, and print its id")
    .argument("[text]", "its first message; - reads it from stdin")
    .option("--agent <agent>", "who it is with; without it, as the server is set up")
    .option("--cwd <folder>", "where it works, on the server's machine")
    .option("--model <model>", "as the agent calls it")
    .option("--mode <mode>", "how it asks, as the agent calls it")
    .option("--title <title>", "what it is called; without it, after its first message")
    .option("--json", "print the session as one JSON object")
    .addOption(dataOption(io.env))
    .action((text: string | undefined, options: Options) => start(io, text, options));
}

async function start(io: Io, given: string | undefined, options: Options): Promise<void> {
  const { data, agent, cwd, model, mode: permissionMode, title, json } = options;
  const text = given === undefined ? undefined : await new Given(io).text(given, "the message");
  if (text === "") throw new CommandFailure("There is no message to send.", EXIT.usage);
  const server = new Connection(io, data);
  const { agents } = await server.get<{ agents: AgentRecord[] }>("/api/agents");
  const chosen = agent === undefined ? agents[0] : agents.find(({ id }) => id === agent);
  if (chosen?.install) throw new CommandFailure(chosen.install.sentence);
  const wanted = { agent, model, permissionMode, title, ...(cwd && { cwd: resolve(cwd) }) };
  const session = await server.post<SessionRecord>("/api/sessions", wanted);
  if (text !== undefined) await server.post(`${sessionPath(session.id)}/messages`, { text });
  io.out(json ? JSON.stringify(session) : session.id);
  io.err(`Follow it with: beckon tail ${session.id} --all`);
}
