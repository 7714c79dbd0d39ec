import { createInbox, type Inbox, visibleText } from "../../../client/index.ts";
import type { InteractionRecord, SessionRecord } from "../../../protocol/index.ts";
import type { Io, Terminal } from "../../io.ts";
import { endOf } from "../ended.ts";
import { answerPrompt, type Outcome } from "./answering.ts";
import type { TerminalUi } from "./terminal-ui.ts";
import { chooseFrom } from "./list-view.ts";
import { withTerminalUi } from "./with-terminal-ui.ts";
import { watchEnd } from "./watch-end.ts";

type Sessions = Map<string, SessionRecord>;

/** Lists what waits, as it comes and goes, and answers it, until the person leaves. */
export function inboxInTerminal(io: Io, terminal: Terminal, data: string): Promise<void> {
  return withTerminalUi(io, terminal, data, async (ui) => {
    const inbox = createInbox(ui.transport);
    const sessions: Sessions = new Map();
    const stop = keepNames(ui, inbox, sessions);
    try {
      for (;;) {
        const chosen = await chooseFrom(ui, inbox, sessions);
        if (!chosen) return;
        const outcome = await open(ui, chosen, sessions);
        ui.screen.print([...wordsFor(outcome, ui), ""]);
      }
    } finally {
      stop();
      inbox.close();
    }
  });
}

async function open(
  ui: TerminalUi,
  chosen: InteractionRecord,
  sessions: Sessions,
): Promise<Outcome> {
  const { signal, stop } = watchEnd(ui.transport, chosen);
  try {
    // The list holds no large inputs; the prompt itself does.
    const record = await ui.transport.interaction(chosen.id);
    if (record.status !== "pending") return { kind: "ended", sentence: endOf(record) };
    return await answerPrompt(ui, record, sessions.get(record.sessionId), signal);
  } catch (error) {
    return {
      kind: "ended",
      sentence: visibleText(error instanceof Error ? error.message : String(error)),
    };
  } finally {
    stop();
  }
}

/** What was answered has been said already. */
function wordsFor(outcome: Outcome, { screen: { style } }: TerminalUi): string[] {
  if (outcome.kind === "ended") return [style.yellow(`  ${outcome.sentence}`)];
  return outcome.kind === "left" ? [style.dim("  It still waits; nothing was decided.")] : [];
}

/** Reads the sessions that things wait in, for their titles. */
function keepNames(
  { transport, screen }: TerminalUi,
  inbox: Inbox,
  sessions: Sessions,
): () => void {
  const asked = new Set<string>();
  const read = () => {
    for (const { sessionId } of inbox.get().interactions) {
      if (asked.has(sessionId)) continue;
      asked.add(sessionId);
      transport.session(sessionId).then(
        (session) => {
          sessions.set(sessionId, session);
          screen.refresh();
        },
        () => asked.delete(sessionId),
      );
    }
  };
  read();
  return inbox.subscribe(read);
}
