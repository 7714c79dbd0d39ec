import { expect, test } from "vitest";
import {
  ClientFrame,
  DEFAULTS,
  LIMITS,
  PROTOCOL_VERSION,
  parseEvent,
  type ServerFrame,
  type StreamEvent,
} from "../../src/protocol/index.ts";
import { blocksOf, readPage, rowsOf, sectionOf, sectionsOf } from "../support/markdown.ts";

const page = readPage("docs/reference/protocol.md");

/** Frames and stream events have types only; these do not compile if one is missing. */
const SERVER_FRAMES: Record<ServerFrame["type"], true> = {
  welcome: true,
  subscribed: true,
  chat_event: true,
  session_updated: true,
  session_deleted: true,
  inbox: true,
  interaction_updated: true,
  ack: true,
  interaction_result: true,
  error: true,
  pong: true,
};
const STREAM_EVENTS: Record<StreamEvent["type"], true> = {
  text_delta: true,
  tool_call_start: true,
  tool_call_delta: true,
  tool_call_end: true,
  tool_result: true,
  approval_required: true,
  question_prompt: true,
  input_required: true,
  interaction_closed: true,
  session_status: true,
  error: true,
  done: true,
};

const sent = sectionOf(page, "### Frames that you send");
const received = sectionOf(page, "### Frames that you get");
const clientFrames = ClientFrame.options.map((option) => option.shape.type.value);

test("every frame has its heading, and no other has one", () => {
  expect([...sectionsOf(sent, 4).keys()]).toEqual(clientFrames);
  const names = [...sectionsOf(received, 4).keys()];
  expect(names.toSorted()).toEqual(Object.keys(SERVER_FRAMES).toSorted());
});

test.each(ClientFrame.options.map((option) => [option.shape.type.value, option] as const))(
  "the example of %s is a frame that the server takes, and all it says is known",
  (type, option) => {
    const [example = "null"] = blocksOf(sectionOf(sent, `#### ${type}`), "json");
    const frame: unknown = JSON.parse(example);
    expect(option.strict().safeParse(frame).error).toBeUndefined();
  },
);

test.each(Object.keys(SERVER_FRAMES))("the example of %s is such a frame", (type) => {
  const [example = "null"] = blocksOf(sectionOf(received, `#### ${type}`), "json");
  const frame = JSON.parse(example) as { type: string; event?: unknown };
  expect(frame.type).toBe(type);
  if (frame.event) parseEvent(frame.event);
});

test("every stream event is in the table", () => {
  const rows = rowsOf(sectionOf(page, "## Server-sent events"));
  const named = rows.flatMap(([names = ""]) => names.replaceAll("`", "").split(", "));
  expect(named.toSorted()).toEqual(Object.keys(STREAM_EVENTS).toSorted());
});

test("the numbers on the page are those of the limits", () => {
  const count = (number: number) => number.toLocaleString("en");
  for (const sentence of [
    `has the version ${PROTOCOL_VERSION};`,
    `at most ${LIMITS.messageBytes / 1024} KiB, and one text in it ${LIMITS.jsonStringBytes / 1024} KiB`,
    `${LIMITS.jsonDepth} levels deep, and has at most ${count(LIMITS.jsonKeys)} keys`,
    `At most ${LIMITS.framesInFlightPerClient} of your frames`,
    `1 to ${LIMITS.idCharacters} letters`,
    `beyond ${LIMITS.queuedBytesPerClient / 1024 / 1024} MiB`,
    `within ${DEFAULTS.helloTimeoutMs / 1_000} seconds, of at most ${LIMITS.helloBytes / 1024} KiB`,
    `at most ${LIMITS.helloSubscriptions}, are followed`,
    `At most ${count(LIMITS.subscriptionsPerClient)} sessions on one connection`,
    `a text of at most ${LIMITS.referenceCharacters} characters`,
    `for ${DEFAULTS.presenceGraceMs / 1_000} seconds after`,
  ]) {
    expect(page).toContain(sentence);
  }
});
