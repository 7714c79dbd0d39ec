import { LIMITS, type InteractionRequest } from "../../../src/protocol/index.ts";
import type { Client } from "../../scenarios/client.ts";
import type { Place } from "./place.ts";

/** How a prompt ends: what the tool makes of the answer, and the answer. */
interface Ending {
  kind: string;
  next?: "reprompt" | "pending" | "fail" | "complete";
  answer: (text: string) => Record<string, unknown>;
}

interface Hostile {
  text: string;
}

const submitForm = (text: string) => ({ action: "submit", input: { text, textarea: text } });

const ENDINGS: Ending[] = [
  { kind: "approval", answer: (text) => ({ action: "deny", reason: text }) },
  { kind: "approval", next: "pending", answer: () => ({ action: "approve" }) },
  { kind: "approval", next: "fail", answer: () => ({ action: "approve" }) },
  { kind: "choice", next: "complete", answer: () => ({ action: "approve", optionId: "yes" }) },
  { kind: "link", answer: () => ({ action: "cancel" }) },
  { kind: "form", next: "reprompt", answer: submitForm },
  {
    kind: "questions",
    answer: (text) => ({
      action: "submit",
      input: { answers: { "0": `${text} by hand`, "1": JSON.stringify([text, "other"]) } },
    }),
  },
];

const KINDS = ["approval", "choice", "link", "questions", "form"];

/**
 * A session with every kind of prompt open, which shows these texts in everything of them, in a
 * place that has the stage's plugin. Its title and folder are the first text too. At most four: a
 * session has twenty open prompts at most.
 */
export async function openHostileSession(place: Place, ...texts: string[]): Promise<string> {
  const { client, sessionId } = await enter(place, texts[0]);
  const uses = texts.flatMap((text) => KINDS.map((kind) => ({ kind, text })));
  await client.say(sessionId, parallel(uses));
  await client.event("interaction_request", uses.length);
  client.terminate();
  return sessionId;
}

/** The same with one text, before which each field says in « » which one it is. */
export async function openMarkedSession(place: Place, text: string): Promise<string> {
  const { client, sessionId } = await enter(place, text);
  await client.say(sessionId, parallel(KINDS.map((kind) => ({ kind, text, marked: true }))));
  await client.event("interaction_request", KINDS.length);
  client.terminate();
  return sessionId;
}

/** A session with these texts in messages, replies, results, errors and prompts that have ended. */
export async function endHostileSession(place: Place, ...texts: string[]): Promise<string> {
  const { client, sessionId } = await enter(place, texts[0]);
  for (const text of texts) {
    // The demo agent quotes what it is told, and repeats a command that it does not know.
    await client.say(sessionId, text);
    await client.say(sessionId, `/${text}`);
  }
  await endEach(client, sessionId, texts);
  await client.event("turn_end", 2 * texts.length + 1);
  client.terminate();
  return sessionId;
}

/** The same prompts with one text, before which each field says in « » which one it is. */
export async function endMarkedSession(place: Place, text: string): Promise<string> {
  const { client, sessionId } = await enter(place, text);
  await endEach(client, sessionId, [text], { marked: true });
  await client.event("turn_end");
  client.terminate();
  return sessionId;
}

async function endEach(client: Client, sessionId: string, texts: string[], more = {}) {
  const uses = texts.flatMap((text) =>
    ENDINGS.map(({ kind, next }) => ({ kind, text, next, ...more })),
  );
  await client.say(sessionId, parallel(uses));
  const reprompts = uses.filter(({ next }) => next === "reprompt").length;
  const answers = Array.from({ length: uses.length + reprompts }, async (_, at) => {
    const request = await client.event("interaction_request", at + 1);
    const reply = await client.answer(request, answerTo(client, request.payload));
    if (!reply["ok"]) throw new Error(`An answer was refused: ${JSON.stringify(reply)}`);
  });
  await Promise.all(answers);
}

function answerTo(client: Client, request: InteractionRequest) {
  const calls = client.events().filter((event) => event.type === "tool_call");
  const call = calls.find(({ payload }) => payload.toolCallId === request.toolCallId);
  const { kind, next, text = "" } = (call?.payload.input ?? {}) as Partial<Ending & Hostile>;
  const ending = ENDINGS.find((one) => one.kind === kind && one.next === next);
  if (!ending) throw new Error(`Nobody knows how to end ${String(kind)}.`);
  return ending.answer(text);
}

async function enter(place: Place, text = "") {
  const [client, session] = await Promise.all([
    place.person(),
    place.session({
      title: short(text, LIMITS.titleCharacters).trim() || "blank",
      cwd: short(text, LIMITS.cwdCharacters),
    }),
  ]);
  await client.subscribe(session.id);
  return { client, sessionId: session.id };
}

function parallel(uses: Record<string, unknown>[]): string {
  return `/parallel ${uses.map((use) => `stage_hostile ${JSON.stringify(use)}`).join(" | ")}`;
}

/** Cut where a whole character ends. */
function short(text: string, characters: number): string {
  return Array.from(text).slice(0, characters).join("");
}
