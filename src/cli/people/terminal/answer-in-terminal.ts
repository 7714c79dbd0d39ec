import type { InteractionRecord } from "../../../protocol/index.ts";
import { TransportError } from "../../../transport/index.ts";
import { CommandFailure, EXIT } from "../../failure.ts";
import type { Io, Terminal } from "../../io.ts";
import { endOf } from "../ended.ts";
import { sentenceOf } from "../refusal.ts";
import { answerPrompt } from "./answering.ts";
import type { Desk } from "./desk.ts";
import { withDesk } from "./open-desk.ts";
import { watchEnd } from "./watch-end.ts";

/** Answers one prompt by keys. */
export function answerInTerminal(
  io: Io,
  terminal: Terminal,
  { data, id }: { data: string; id: string },
): Promise<void> {
  return withDesk(io, terminal, data, async (desk) => {
    const record = await read(desk, id);
    if (record.status !== "pending") throw new CommandFailure(endOf(record));
    const session = await desk.line.session(record.sessionId).catch(() => undefined);
    const { signal, stop } = watchEnd(desk.line, record);
    const outcome = await answerPrompt(desk, record, session, signal);
    stop();
    if (outcome.kind === "ended") throw new CommandFailure(outcome.sentence);
    if (outcome.kind === "left") {
      throw new CommandFailure("It still waits; nothing was decided.", EXIT.pending);
    }
  });
}

async function read({ line }: Desk, id: string): Promise<InteractionRecord> {
  try {
    return await line.interaction(id);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    throw new CommandFailure(sentenceOf({ code: error.code, error: error.message }));
  }
}
