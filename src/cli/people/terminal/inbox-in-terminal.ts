import { createInbox, type Inbox } from "../../../client/index.ts";
import type { InteractionRecord, SessionRecord } from "../../../protocol/index.ts";
import type { Io, Terminal } from "../../io.ts";
import { visible } from "../../visible.ts";
import { endOf } from "../ended.ts";
import { answerPrompt, type Outcome } from "./answering.ts";
import type { Desk } from "./desk.ts";
import { chooseFrom } from "./list-view.ts";
import { withDesk } from "./open-desk.ts";
import { watchEnd } from "./watch-end.ts";

type Sessions = Map<string, SessionRecord>;

/** Lists what waits, as it comes and goes, and answers it, until the person leaves. */
export function inboxInTerminal(io: Io, terminal: Terminal, data: string): Promise<void> {
  return withDesk(io, terminal, data, async (desk) => {
    const inbox = createInbox(desk.line);
    const sessions: Sessions = new Map();
    const stop = keepNames(desk, inbox, sessions);
    try {
      for (;;) {
        const chosen = await chooseFrom(desk, inbox, sessions);
        if (!chosen) return;
        const outcome = await open(desk, chosen, sessions);
        desk.screen.print([...wordsFor(outcome, desk), ""]);
      }
    } finally {
      stop();
      inbox.close();
    }
  });
}

async function open(desk: Desk, chosen: InteractionRecord, sessions: Sessions): Promise<Outcome> {
  const { signal, stop } = watchEnd(desk.line, chosen);
  try {
    // The list holds no large inputs; the prompt itself does.
    const record = await desk.line.interaction(chosen.id);
    if (record.status !== "pending") return { kind: "ended", sentence: endOf(record) };
    return await answerPrompt(desk, record, sessions.get(record.sessionId), signal);
  } catch (error) {
    return {
      kind: "ended",
      sentence: visible(error instanceof Error ? error.message : String(error)),
    };
  } finally {
    stop();
  }
}

/** What was answered has been said already. */
function wordsFor(outcome: Outcome, { screen: { style } }: Desk): string[] {
  if (outcome.kind === "ended") return [style.yellow(`  ${outcome.sentence}`)];
  return outcome.kind === "left" ? [style.dim("  It still waits; nothing was decided.")] : [];
}

/** Reads the sessions that things wait in, for their titles. */
function keepNames({ line, screen }: Desk, inbox: Inbox, sessions: Sessions): () => void {
  const asked = new Set<string>();
  const read = () => {
    for (const { sessionId } of inbox.get().interactions) {
      if (asked.has(sessionId)) continue;
      asked.add(sessionId);
      line.session(sessionId).then(
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
