import { randomUUID } from "node:crypto";
import { withoutSecrets } from "../../../client/form-values.ts";
import type {
  FieldErrors,
  InteractionRecord,
  ResponseBody,
  SessionRecord,
} from "../../../protocol/index.ts";
import { yourDecision } from "../ended.ts";
import { refusalLines, sentenceOf } from "../refusal.ts";
import { decideApproval } from "./decide-approval.ts";
import { type TerminalUi, layoutOf } from "./terminal-ui.ts";
import { fillIn, type Filling, firstValues } from "./fill-in.ts";
import { quoted } from "./layout.ts";
import { printPages } from "./pages.ts";
import { promptLines } from "./prompt-view.ts";

/** What became of a prompt that was on the screen. */
export type Outcome =
  | { kind: "answered" }
  | { kind: "left" }
  /** Somebody or something else ended it, or it cannot be answered from here. */
  | { kind: "ended"; sentence: string };

/** Ends what a person is doing with a prompt, because it is over. */
export class PromptEnded extends Error {
  override name = "PromptEnded";
}

/** Shows a prompt, whole, and answers it. `signal` aborts with `PromptEnded`. */
export async function answerPrompt(
  ui: TerminalUi,
  record: InteractionRecord,
  session: SessionRecord | undefined,
  signal: AbortSignal,
): Promise<Outcome> {
  const { screen, keyboard } = ui;
  const ticking = setInterval(() => screen.refresh(), 1_000);
  const stopListening = ui.transport.onConnection(() => screen.refresh());
  try {
    keyboard.forget();
    const lines = promptLines(record, session, layoutOf(ui));
    if (!(await printPages(ui, lines, signal))) return { kind: "left" };
    return await untilAnswered(ui, record, session, signal);
  } catch (error) {
    if (!(error instanceof PromptEnded)) throw error;
    return { kind: "ended", sentence: error.message };
  } finally {
    clearInterval(ticking);
    stopListening();
    screen.clear();
  }
}

/** A refusal for what was typed is shown, and it is asked again with all of it. */
async function untilAnswered(
  ui: TerminalUi,
  record: InteractionRecord,
  session: SessionRecord | undefined,
  signal: AbortSignal,
): Promise<Outcome> {
  const values = firstValues(ui, record);
  let errors: FieldErrors = { ...record.request.fieldErrors };
  for (;;) {
    const body = await compose(ui, record, { session, filling: { values, errors, signal } });
    if (!body) return { kind: "left" };
    const reply = await send(ui, record, body);
    if (reply.ok) {
      ui.drafts.sent(record, body.input && withoutSecrets(body.input, record.request.inputSchema));
      ui.screen.print([ui.screen.style.green(`  ✓ ${yourDecision(body, record.request)}`)]);
      return { kind: "answered" };
    }
    if (reply.code !== "invalid_response") {
      return { kind: "ended", sentence: sentenceOf(reply) };
    }
    errors = { ...reply.fieldErrors };
    const { style } = ui.screen;
    ui.screen.print(refusalLines(reply).flatMap((line) => quoted(line, layoutOf(ui), style.red)));
  }
}

async function compose(
  ui: TerminalUi,
  record: InteractionRecord,
  { session, filling }: { session: SessionRecord | undefined; filling: Filling },
): Promise<ResponseBody | undefined> {
  if (record.request.interactionType !== "approval") return fillIn(ui, record, filling);
  const canStop = record.waiting === "live" && session?.agent !== "outside";
  return decideApproval(ui, { record, canStop, signal: filling.signal });
}

/** It is sent again until the server has said what it makes of it, so one id is enough. */
async function send(
  { screen, transport }: TerminalUi,
  record: InteractionRecord,
  body: ResponseBody,
) {
  const sending = () => ({ lines: [screen.style.dim("  Sending…")] });
  screen.show(sending);
  const { sessionId, toolCallId, id: interactionId } = record;
  const sent = { ...body, responseId: randomUUID() };
  const reply = await transport.respond({ sessionId, toolCallId, interactionId }, sent);
  screen.clear();
  return reply;
}
