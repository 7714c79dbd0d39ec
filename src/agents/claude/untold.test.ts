import { expect, test } from "vitest";
import type { ContentBlock } from "./sdk.ts";
import { newPromptId } from "./prompt-id.ts";
import { Untold } from "./untold.ts";

const text = (words: string): ContentBlock => ({ type: "text", text: words });
const use = (id: string): ContentBlock => ({ type: "tool_use", id, name: "Bash", input: {} });
const assistant = (...content: ContentBlock[]) => ({ type: "assistant", message: { content } });
const user = (content: string | ContentBlock[], more: object = {}) => ({
  type: "user",
  message: { content },
  ...more,
});

/** The blocks that are new, of a record that says all of this. */
function found(told: { texts?: string[]; nativeIds?: string[] }, ...entries: object[]) {
  const untold = new Untold({ texts: [], nativeIds: [], ...told });
  return entries.flatMap((entry) => {
    const message = untold.of(entry as Record<string, unknown>);
    return message.type === "assistant" ? message.message.content : [];
  });
}

test("what the log tells is left out, calls by their ids and texts as often as they are told", () => {
  const record = [assistant(text("Hi.")), assistant(use("a")), assistant(use("b"), text("Hi."))];
  expect(found({ texts: ["Hi.\n"], nativeIds: ["a"] }, ...record)).toEqual([use("b"), text("Hi.")]);
  expect(found({ texts: ["Hi.", "Hi."], nativeIds: ["b", "a"] }, ...record)).toEqual([]);
  expect(found({ nativeIds: ["a"] }, assistant(use("a")), assistant(use("a")))).toEqual([]);
});

test("what was said elsewhere is quoted once, and what was said here is not", () => {
  const quote = text("Said to Claude Code outside of Beckon:\n\n> one\n> two");
  expect(found({}, user("one\ntwo"))).toEqual([quote]);
  expect(found({ texts: [(quote as { text: string }).text] }, user("one\ntwo"))).toEqual([]);
  expect(found({}, user("one\ntwo", { uuid: newPromptId() }))).toEqual([]);
});

test.each([
  user("<command-name>/clear</command-name>"),
  user([text("[Request interrupted by user for tool use]")]),
  user("Continue from where you left off.", { isMeta: true }),
  user("This session is being continued…", { isCompactSummary: true }),
  { ...assistant(text("Found it.")), isSidechain: true },
  { type: "assistant", message: { model: "<synthetic>", content: [text("No response.")] } },
  { type: "attachment", attachment: { type: "date" } },
  { type: "summary" },
  {},
])("case %#: what Claude Code noted for itself is nobody's words", (entry) => {
  expect(found({}, entry)).toEqual([]);
});

test("results come through, for the calls that are new", () => {
  const result: ContentBlock = { type: "tool_result", tool_use_id: "a", content: "done" };
  const message = new Untold({ texts: [], nativeIds: [] }).of(user([result]));
  expect(message).toMatchObject({ type: "user", message: { content: [result] } });
});
