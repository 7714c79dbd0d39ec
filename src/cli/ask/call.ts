import { Command } from "commander";
import { CommandFailure, EXIT } from "../failure.ts";
import type { Io } from "../io.ts";
import { dataOption } from "../options.ts";
import { printText } from "../print-text.ts";
import { TransportError } from "../../transport/index.ts";
import { Connection } from "../server/connection.ts";
import { visibleLines } from "../visible-lines.ts";
import { callerHeaders } from "./caller.ts";
import { idOfKey } from "../key.ts";
import { jsonOption, sessionOption } from "./options.ts";
import { Given, parseJson } from "../read-given.ts";

interface Options {
  data: string;
  session?: string;
  key?: string;
  json?: boolean;
}

type Reply = { ok: true; result: unknown } | { ok: false; error: string; code: string };

export function callCommand(io: Io, args: readonly string[]): Command {
  return new Command("call")
    .description("run an operation of a plugin and print its result as JSON")
    .argument("<plugin>", "its id")
    .argument("<operation>", "its id")
    .argument("[arguments]", "a JSON object; - reads it from stdin", "{}")
    .addOption(sessionOption(io))
    .option("--key <key>", "name the call: the same key again finds it, or its result")
    .addOption(jsonOption())
    .addOption(dataOption(io.env))
    .action((plugin: string, operation: string, text: string, options: Options) =>
      call(io, args, { plugin, operation, text }, options),
    );
}

async function call(
  io: Io,
  args: readonly string[],
  { plugin, operation, text }: { plugin: string; operation: string; text: string },
  options: Options,
): Promise<void> {
  const name = "The text of the arguments";
  const body = parseJson(await new Given(io).text(text, name), name);
  const headers = {
    "x-session-id": checkedSession(options.session),
    "x-tool-call-id": idOfKey(options.key),
    "x-origin": "cli",
    ...callerHeaders(io, args),
  };
  const signal = io.stopSignal(EXIT.interrupted);
  const path = `/api/plugins/${encodeURIComponent(plugin)}/operations/${encodeURIComponent(operation)}`;
  const connection = new Connection(io, options.data);
  const reply = await connection
    .post<Reply>(path, body, { headers, signal, repeatable: true })
    .catch((error: unknown) => {
      if (signal.aborted) throw interrupted(options.key);
      throw error instanceof TransportError ? inOurWords(error, options.key) : error;
    });
  if (options.json) io.out(JSON.stringify(reply));
  else if (reply.ok) printText(io, JSON.stringify(reply.result, null, io.isTerminal ? 2 : 0));
  if (reply.ok) return;
  const exitCode = EXIT_OF_TOOL_ERROR[reply.code] ?? EXIT.failure;
  throw new CommandFailure(visibleLines(reply.error).join("\n"), exitCode);
}

const EXIT_OF_TOOL_ERROR: Partial<Record<string, number>> = {
  tool_denied: EXIT.denied,
  interaction_timeout: EXIT.timedOut,
  interaction_cancelled: EXIT.cancelled,
  tool_cancelled: EXIT.cancelled,
};

/** Without one, the server has a session for those who belong to no conversation. */
function checkedSession(id = "own"): string {
  if (/^[!-~]+$/.test(id)) return id;
  throw new CommandFailure(`There is no session ${JSON.stringify(id)}.`, EXIT.usage);
}

function interrupted(key: string | undefined): CommandFailure {
  const back = key === undefined ? "" : " unless it is called again with the same key";
  return new CommandFailure(
    `Interrupted. What the call still asks is withdrawn in a minute${back}.`,
    EXIT.interrupted,
  );
}

function inOurWords(refusal: TransportError, key: string | undefined): Error {
  const { issues } = refusal.details as { issues?: { path: string }[] };
  const isOther =
    refusal.code === "request_changed" || issues?.some(({ path }) => path === "x-tool-call-id");
  if (isOther && key !== undefined) {
    return new CommandFailure(
      `Under the key ${JSON.stringify(key)} something else was called before: ` +
        "give another call another key.",
    );
  }
  return refusal.code === "invalid_request"
    ? new CommandFailure(refusal.message, EXIT.usage)
    : refusal;
}
