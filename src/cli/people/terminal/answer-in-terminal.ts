import type { InteractionRecord } from "../../../protocol/index.ts";
import { TransportError } from "../../../transport/index.ts";
import { CommandFailure, EXIT } from "../../failure.ts";
import type { Io, Terminal } from "../../io.ts";
import { endOf } from "../ended.ts";
import { sentenceOf } from "../refusal.ts";
import { answerPrompt } from "./answering.ts";
import type { TerminalUi } from "./terminal-ui.ts";
import { withTerminalUi } from "./with-terminal-ui.ts";
import { watchEnd } from "./watch-end.ts";

/** Answers one prompt by keys. */
export function answerInTerminal(
  io: Io,
  terminal: Terminal,
  { data, id }: { data: string; id: string },
): Promise<void> {
  return withTerminalUi(io, terminal, data, async (ui) => {
    const record = await read(ui, id);
    if (record.status !== "pending") throw new CommandFailure(endOf(record));
    const session = await ui.transport.session(record.sessionId).catch(() => undefined);
    const { signal, stop } = watchEnd(ui.transport, record);
    const outcome = await answerPrompt(ui, record, session, signal);
    stop();
    if (outcome.kind === "ended") throw new CommandFailure(outcome.sentence);
    if (outcome.kind === "left") {
      throw new CommandFailure("It still waits; nothing was decided.", EXIT.pending);
    }
  });
}

async function read({ transport }: TerminalUi, id: string): Promise<InteractionRecord> {
  try {
    return await transport.interaction(id);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    throw new CommandFailure(sentenceOf({ code: error.code, error: error.message }));
  }
}
