import type { AskBody, InteractionRecord } from "../../protocol/index.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import type { Io } from "../io.ts";
import { TransportError } from "../../transport/index.ts";
import { Connection } from "../server/connection.ts";
import { findAddress } from "../server/find-server.ts";
import { findCaller } from "./caller.ts";
import { after, report, reportInterrupted, untilEnded } from "./follow.ts";
import { idOfKey } from "../key.ts";
import type { AskingOptions } from "./options.ts";
import { toJson } from "./outcome.ts";

/** The server ends a prompt in time; this is for one that is away just then. */
const LATE_MS = 30_000;

/** Only a key leads to a prompt that has ended. */
const OVER =
  "This was asked before under the same key, and is over. To ask again, use another key.";

/**
 * Asks, and waits for what people say. The request has an id from the start, so it is sent again
 * over every line that breaks and every server that is started anew, and asks once.
 */
export async function putQuestion(
  io: Io,
  args: readonly string[],
  options: AskingOptions,
  question: Partial<AskBody>,
): Promise<void> {
  const { data, timeout = Infinity, json } = options;
  const stop = io.stopSignal(EXIT.interrupted);
  const connection = new Connection(io, data);
  const late = after(timeout + LATE_MS);
  const asked = await ask(io, connection, args, options, question, { stop, late });
  if (!options.wait) {
    io.out(json ? JSON.stringify(toJson(asked)) : asked.id);
    return;
  }
  if (asked.status === "pending") io.err(`Waiting for an answer at ${linkTo(io, data, asked)}`);
  else if (asked.status !== "answered") io.err(OVER);
  const end = await untilEnded(connection, asked, AbortSignal.any([stop, late]));
  if (end.status !== "pending") {
    report(io, end, json);
  } else if (stop.aborted) {
    reportInterrupted(io, end, json);
  } else {
    if (json) io.out(JSON.stringify(toJson(end)));
    throw new CommandFailure(
      `The time is over, and the server is away. See later what became of it: beckon wait ${end.id}`,
      EXIT.timedOut,
    );
  }
}

async function ask(
  io: Io,
  connection: Connection,
  args: readonly string[],
  options: AskingOptions,
  question: Partial<AskBody>,
  { stop, late }: { stop: AbortSignal; late: AbortSignal },
): Promise<InteractionRecord> {
  const { key, session, timeout = Infinity, requireClient } = options;
  const body = {
    ...question,
    sessionId: session,
    requestId: idOfKey(key),
    timeoutMs: timeout === Infinity ? undefined : timeout,
    whenUnavailable: requireClient ? "throw" : undefined,
    caller: findCaller(io, args),
  };
  const signal = AbortSignal.any([stop, late]);
  const call = { repeatable: true, headers: { "x-origin": "cli" }, signal };
  try {
    return await connection.post<InteractionRecord>("/api/interactions", body, call);
  } catch (error) {
    if (stop.aborted) {
      throw new CommandFailure(
        "Interrupted before the server had said that it asks.",
        EXIT.interrupted,
      );
    }
    if (late.aborted) {
      throw new CommandFailure(
        "The time is over, and the server is away: it has not said that it asks.",
        EXIT.timedOut,
      );
    }
    throw error instanceof TransportError ? inOurWords(error, key) : error;
  }
}

function inOurWords(refusal: TransportError, key: string | undefined): Error {
  switch (refusal.code) {
    case "request_changed":
      return new CommandFailure(
        `Under the key ${JSON.stringify(key)} something else was asked before: ` +
          "give another question another key.",
      );
    case "interaction_unavailable":
      return new CommandFailure(refusal.message, EXIT.nobody);
    case "invalid_request":
      return new CommandFailure(refusal.message, EXIT.usage);
    default:
      return refusal;
  }
}

function linkTo(io: Io, data: string, { id, sessionId }: InteractionRecord): string {
  return new URL(`/#/s/${sessionId}/i/${id}`, findAddress(io, data)).href;
}
