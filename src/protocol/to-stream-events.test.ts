import { expect, test } from "vitest";
import {
  type ChatEvent,
  createStreamProjection,
  type StreamEvent,
  type TransientEvent,
} from "./index.ts";

const place = { sessionId: "s", timestamp: "2026-01-01T00:00:00.000Z", turnId: "t" };
const ref = { toolCallId: "c1", toolName: "Bash" };
const input = { command: "ls" };
const start: StreamEvent = { type: "tool_call_start", data: ref };
const end: StreamEvent = { type: "tool_call_end", data: { ...ref, input } };

function piece(offset: number, text: string): TransientEvent {
  return { ...place, type: "tool_call_delta", payload: { ...ref, offset, text } };
}

function told(events: (ChatEvent | TransientEvent)[]): StreamEvent[] {
  const projection = createStreamProjection();
  return events.flatMap((event) => projection.next(event));
}

const delta = (text: string): StreamEvent => ({
  type: "tool_call_delta",
  data: { toolCallId: "c1", text },
});
const call: ChatEvent = {
  ...place,
  id: "e1",
  seq: 1,
  type: "tool_call",
  payload: { ...ref, input, origin: "agent" },
};

test("a call whose input is seen growing starts once, before its first piece", () => {
  const events = [piece(0, '{"command":'), piece(11, '"ls"}'), call];
  expect(told(events)).toEqual([start, delta('{"command":'), delta('"ls"}'), end]);
});

test("a call whose input nobody saw growing starts and ends at once", () => {
  expect(told([call])).toEqual([start, end]);
});

test("pieces of an input never repeat, skip or follow its end", () => {
  const again = [piece(0, '{"com'), piece(0, '{"command":'), piece(30, "x"), call, piece(11, '"')];
  expect(told(again)).toEqual([start, delta('{"com'), delta('mand":'), end]);
  expect(told([piece(11, '"ls"}'), call])).toEqual([start, end]);
});
