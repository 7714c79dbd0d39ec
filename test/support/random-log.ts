import * as fc from "fast-check";
import type { ChatEvent } from "../../src/protocol/index.ts";
import { LogWriter } from "./log-writer.ts";

/*
 * Random logs such as the server writes them. A log is made from a list of numbers: each picks one
 * of the things that may happen where the story stands, so that a failing log shrinks to a short one.
 */

interface Story {
  writer: LogWriter;
  turn: string | undefined;
  queued: string[];
  /** Running calls, with the turn that they belong to. */
  calls: { id: string; turn: string | undefined }[];
  /** Prompts that a call waits for. */
  live: { id: string; call: string }[];
  /** Open prompts whose call has ended. */
  late: string[];
  stream: { blockId: string; text: string } | undefined;
}

type Move = (story: Story, pick: number) => void;

const at = <T>(list: T[], pick: number): T => list[pick % list.length] as T;

function moves({ turn, queued, calls, live, late, stream }: Story): Move[] {
  return [
    sendMessage,
    outsideCall,
    strangeEvent,
    ...(turn === undefined && queued.length > 0 ? [startTurn, startTurn] : []),
    ...(turn === undefined
      ? []
      : [say, think, call, call, fault, finishTurn, cancelTurn, breakTurn]),
    ...(stream ? [endText, moreText] : []),
    ...(calls.length > 0 ? [askInBlock, askInBlock, askAlone, askAlone, output, endCall] : []),
    ...(live.length > 0 ? [answer, answer, reprompt, timeOut, failCall, queue] : []),
    ...(late.length > 0 ? [answerLate, supersede] : []),
  ];
}

const sendMessage: Move = ({ writer, queued }) => void queued.push(writer.message());

const startTurn: Move = (story) => {
  story.turn = story.writer.start(story.queued.shift());
};

const say: Move = (story, pick) => {
  const { writer, turn } = story;
  if (story.stream || pick % 3 === 0) return void writer.add("text", { text: "Said." }, turn);
  story.stream = { blockId: writer.id("block"), text: "" };
  moreText(story, pick);
};

const moreText: Move = ({ writer, turn, stream }, pick) => {
  if (!stream || turn === undefined) return;
  const text = `piece ${pick} `;
  const offset = stream.text.length;
  const payload = { blockId: stream.blockId, offset, text };
  stream.text += text;
  if (pick % 5 === 0) return;
  writer.transient({ type: "text_delta", turnId: turn, payload });
  if (pick % 3 === 0) writer.transient({ type: "text_delta", turnId: turn, payload });
};

const endText: Move = (story) => {
  const { writer, turn, stream } = story;
  if (!stream || turn === undefined) return;
  writer.add("text", { text: stream.text, blockId: stream.blockId }, turn);
  story.stream = undefined;
  // A piece that was held up on its way.
  const payload = { blockId: stream.blockId, offset: 0, text: stream.text };
  writer.transient({ type: "text_delta", turnId: turn, payload });
};

const think: Move = ({ writer, turn }) => void writer.add("thinking", { text: "Hm." }, turn);

const fault: Move = ({ writer, turn }) =>
  void writer.add("error", { code: "agent_failed", message: "Oh." }, turn);

const call: Move = ({ writer, turn, calls }) => void calls.push({ id: writer.call(turn), turn });

const outsideCall: Move = ({ writer, calls }) =>
  void calls.push({ id: writer.call(), turn: undefined });

const strangeEvent: Move = ({ writer }) =>
  void writer.add("from_the_future" as "error", { code: "?", message: "?" });

const ask = (presentation: "tool" | "questionnaire"): Move => {
  return ({ writer, calls, live }, pick) => {
    const { id } = at(calls, pick);
    const inside = pick % 3 === 0 ? { anchored: true, toolName: "ask" } : {};
    const prompt = `Question ${pick}`;
    live.push({ id: writer.ask(id, { presentation, prompt, ...inside }), call: id });
  };
};
const askInBlock = ask("tool");
const askAlone = ask("questionnaire");

const output: Move = ({ writer, calls }, pick) => {
  const payload = { toolCallId: at(calls, pick).id, offset: pick % 7, text: "output" };
  writer.transient({ type: "tool_output_delta", payload });
};

const takeLive = (story: Story, pick: number) => {
  const prompt = at(story.live, pick);
  story.live = story.live.filter((one) => one !== prompt);
  return prompt;
};

const answer: Move = (story, pick) => story.writer.answer(takeLive(story, pick).id);

const reprompt: Move = (story, pick) => {
  const { writer } = story;
  const { id, call } = takeLive(story, pick);
  if (pick % 4 === 0) writer.close(id, "timed_out");
  else writer.answer(id);
  const presentation = pick % 11 === 0 ? ("questionnaire" as const) : undefined;
  const again = writer.askAgain(id, { error: "Again", ...(presentation ? { presentation } : {}) });
  story.live.push({ id: again, call });
};

const timeOut: Move = (story, pick) => {
  const { id, call } = takeLive(story, pick);
  story.writer.close(id, "timed_out");
  finishCall(story, call, "interaction_timeout");
};

/** Ends a call with an error, and what it asks with it. */
function finishCall(story: Story, callId: string, code: string, reason?: "cancelled"): void {
  for (const { id } of story.live.filter((one) => one.call === callId)) {
    story.writer.close(id, reason ?? "failed");
  }
  story.live = story.live.filter((one) => one.call !== callId);
  story.calls = story.calls.filter((one) => one.id !== callId);
  story.writer.fail(callId, code);
}

const failCall: Move = (story, pick) => finishCall(story, at(story.live, pick).call, "tool_error");

const endCall: Move = (story, pick) => {
  const { id } = at(story.calls, pick);
  if (story.live.some((one) => one.call === id)) return finishCall(story, id, "tool_error");
  story.calls = story.calls.filter((one) => one.id !== id);
  story.writer.result(id, { result: "done" });
};

function detach(story: Story, callId: string, how: "queued" | "orphaned"): void {
  const open = story.live.filter((one) => one.call === callId);
  if (how === "queued") story.writer.result(callId, { result: { pending: true, queued: true } });
  else story.writer.fail(callId, "tool_interrupted");
  for (const { id } of open) story.writer.pending(id, false, { [how]: true });
  story.late.push(...open.map((one) => one.id));
  story.live = story.live.filter((one) => one.call !== callId);
  story.calls = story.calls.filter((one) => one.id !== callId);
}

const queue: Move = (story, pick) => detach(story, at(story.live, pick).call, "queued");

const callsOf = (story: Story) => story.calls.filter((one) => one.turn === story.turn);

function endTurn(story: Story, status: "completed" | "cancelled" | "interrupted"): void {
  story.writer.end(story.turn as string, status);
  story.turn = undefined;
  story.stream = undefined;
}

const finishTurn: Move = (story) => {
  if (callsOf(story).length === 0) endTurn(story, "completed");
};

const cancelTurn: Move = (story) => {
  for (const { id } of callsOf(story)) finishCall(story, id, "tool_cancelled", "cancelled");
  endTurn(story, "cancelled");
};

const breakTurn: Move = (story) => {
  for (const { id } of callsOf(story)) detach(story, id, "orphaned");
  endTurn(story, "interrupted");
};

const takeLate = (story: Story, pick: number) => {
  const id = at(story.late, pick);
  story.late = story.late.filter((one) => one !== id);
  return id;
};

const answerLate: Move = (story, pick) => {
  const interactionId = takeLate(story, pick);
  story.writer.answer(interactionId, { late: true });
  story.queued.push(story.writer.message({ source: "late_answer", interactionId }));
};

const supersede: Move = (story, pick) => story.writer.close(takeLate(story, pick), "superseded");

/** What a client hears of a random session: its log, with transient events in between. */
export const randomSession: fc.Arbitrary<LogWriter> = fc
  .array(fc.tuple(fc.nat(1_000), fc.nat(1_000)), { maxLength: 120, size: "max" })
  .map((picks) => {
    const story: Story = {
      writer: new LogWriter(),
      turn: undefined,
      queued: [],
      calls: [],
      live: [],
      late: [],
      stream: undefined,
    };
    for (const [which, pick] of picks) at(moves(story), which)(story, pick);
    return story.writer;
  });

/** The prompts that a log leaves open. */
export function openIn(log: readonly ChatEvent[]): Set<string> {
  const open = new Set<string>();
  for (const { type, payload } of log) {
    if (type === "interaction_request") open.add(payload.interactionId);
    if (type === "interaction_response" || type === "interaction_closed") {
      open.delete(payload.interactionId);
    }
  }
  return open;
}
