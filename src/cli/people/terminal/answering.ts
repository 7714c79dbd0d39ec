import { randomUUID } from "node:crypto";
import type {
  FieldErrors,
  InteractionRecord,
  ResponseBody,
  SessionRecord,
} from "../../../protocol/index.ts";
import { youDid } from "../ended.ts";
import { refusalLines, sentenceOf } from "../refusal.ts";
import { decideApproval } from "./decide-approval.ts";
import { type Desk, paperOf } from "./desk.ts";
import { fillIn, type Filling, firstValues } from "./fill-in.ts";
import type { Values } from "./form-steps.ts";
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
  desk: Desk,
  record: InteractionRecord,
  session: SessionRecord | undefined,
  signal: AbortSignal,
): Promise<Outcome> {
  const { screen, keyboard } = desk;
  const ticking = setInterval(() => screen.refresh(), 1_000);
  const stopListening = desk.line.onConnection(() => screen.refresh());
  try {
    keyboard.forget();
    const lines = promptLines(record, session, paperOf(desk));
    if (!(await printPages(desk, lines, signal))) return { kind: "left" };
    return await untilAnswered(desk, record, session, signal);
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
  desk: Desk,
  record: InteractionRecord,
  session: SessionRecord | undefined,
  signal: AbortSignal,
): Promise<Outcome> {
  const values = firstValues(desk, record);
  let errors: FieldErrors = { ...record.request.fieldErrors };
  for (;;) {
    const body = await compose(desk, record, { session, filling: { values, errors, signal } });
    if (!body) return { kind: "left" };
    const reply = await send(desk, record, body);
    if (reply.ok) {
      desk.drafts.sent(record, body.action === "submit" ? openValues(record, body) : undefined);
      desk.screen.print([desk.screen.style.green(`  ✓ ${youDid(body, record.request)}`)]);
      return { kind: "answered" };
    }
    if (reply.code !== "invalid_response") {
      return { kind: "ended", sentence: sentenceOf(reply) };
    }
    errors = { ...reply.fieldErrors };
    const { style } = desk.screen;
    desk.screen.print(
      refusalLines(reply).flatMap((line) => quoted(line, paperOf(desk), style.red)),
    );
  }
}

async function compose(
  desk: Desk,
  record: InteractionRecord,
  { session, filling }: { session: SessionRecord | undefined; filling: Filling },
): Promise<ResponseBody | undefined> {
  if (record.request.interactionType !== "approval") return fillIn(desk, record, filling);
  const canStop = record.waiting === "live" && session?.agent !== "outside";
  return decideApproval(desk, { record, canStop, signal: filling.signal });
}

/** It is sent again until the server has said what it makes of it, so one id is enough. */
async function send({ screen, line }: Desk, record: InteractionRecord, body: ResponseBody) {
  const sending = () => ({ lines: [screen.style.dim("  Sending…")] });
  screen.show(sending);
  const { sessionId, toolCallId, id: interactionId } = record;
  const sent = { ...body, responseId: randomUUID() };
  const reply = await line.respond({ sessionId, toolCallId, interactionId }, sent);
  screen.clear();
  return reply;
}

/** What was answered, without secrets: a tool may look at it and ask again. */
function openValues({ request }: InteractionRecord, { input = {} }: ResponseBody): Values {
  const { questions, inputSchema } = request;
  const fields = [
    ...(inputSchema?.fields ?? []),
    ...(inputSchema?.sections ?? []).flatMap((section) => section.fields),
  ];
  const secrets = new Set(fields.filter(({ type }) => type === "secret").map(({ id }) => id));
  const kept = questions ? (input["answers"] as Record<string, unknown>) : input;
  return Object.fromEntries(Object.entries(kept).filter(([id]) => !secrets.has(id)));
}
