import { expect, test } from "vitest";
import { ClientFrame, InteractionRecord, parseEvent } from "./index.ts";

const envelope = { id: "e1", seq: 1, sessionId: "s1", timestamp: "2026-01-01T00:00:00.000Z" };

test("unknown keys of a newer server survive reading, at every level", () => {
  const event = {
    ...envelope,
    type: "interaction_request",
    fromTomorrow: 1,
    payload: {
      toolCallId: "c1",
      interactionId: "i1",
      toolName: "t",
      interactionType: "input",
      presentation: "tool",
      attempt: 1,
      fromTomorrow: 2,
      inputSchema: {
        type: "form",
        fromTomorrow: 3,
        fields: [{ id: "f", type: "text", label: "F", fromTomorrow: 4 }],
      },
    },
  };
  expect(parseEvent(event)).toEqual(event);
});

test("an event of an unknown type or without its payload is refused", () => {
  expect(() => parseEvent({ ...envelope, type: "from_tomorrow", payload: {} })).toThrow(
    /Unknown event/,
  );
  expect(() => parseEvent({ ...envelope, type: "toString", payload: {} })).toThrow(/Unknown event/);
  expect(() => parseEvent({ ...envelope, type: "turn_end", payload: {} })).toThrow(/status/);
});

test("frames and records keep what they do not know", () => {
  const frame = { type: "ping", ref: "r1", fromTomorrow: true };
  expect(ClientFrame.parse(frame)).toEqual(frame);
  const record = {
    id: "i1",
    sessionId: "s1",
    toolCallId: "c1",
    toolName: "t",
    status: "pending",
    waiting: "live",
    request: {
      toolCallId: "c1",
      interactionId: "i1",
      toolName: "t",
      interactionType: "approval",
      presentation: "tool",
      attempt: 1,
    },
    createdAt: envelope.timestamp,
    fromTomorrow: true,
  };
  expect(InteractionRecord.parse(record)).toEqual(record);
});
