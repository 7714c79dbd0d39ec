import { describe, expect, test } from "vitest";
import { LogWriter } from "../../test/support/log-writer.ts";
import { earlierOf } from "./prompts-of.ts";
import { emptyView, prepend, reduce, reduceAll, withOpen } from "./reduce.ts";
import type { BlockView, ChatView } from "./view.ts";

const viewOf = (writer: LogWriter) => reduceAll(emptyView("s"), writer.sent);

/** A view in short: each turn's blocks, by what they show. */
function outline(view: ChatView): string[][] {
  return view.turns.map((turn) => turn.blocks.map(outlineBlock));
}

function outlineBlock(block: BlockView): string {
  switch (block.kind) {
    case "message":
      return `${block.queued ? "queued " : ""}message`;
    case "tools":
      return block.callIds.join("+");
    case "questionnaire":
      return `? ${block.interactionId}`;
    case "error":
      return `error ${block.code}`;
    default:
      return `${block.kind} ${block.text}`;
  }
}

describe("turns", () => {
  test("a message that was sent into a turn stands in it, unless it starts one of its own", () => {
    const writer = new LogWriter();
    const turn = writer.start(writer.message());
    writer.add("text", { text: "Working." }, turn);
    const into = { text: "left, please", source: "user" } as const;
    writer.add("user_message", { ...into, messageId: "heard" }, turn);
    writer.add("user_message", { ...into, messageId: "unheard" }, turn);
    expect(outline(viewOf(writer))).toEqual([["message", "text Working.", "message", "message"]]);
    writer.end(turn);
    writer.start("unheard");
    const view = viewOf(writer);
    expect(outline(view)).toEqual([["message", "text Working.", "message"], ["message"]]);
    expect(view.turns[0]?.blocks.at(-1)).toMatchObject({ messageId: "heard" });
  });

  test("a message waits below everything until its turn begins, and then heads it", () => {
    const writer = new LogWriter();
    const first = writer.message();
    const turn = writer.start(first);
    const second = writer.message();
    writer.message();
    writer.add("text", { text: "Working." }, turn);
    const outside = writer.call();
    expect(outline(viewOf(writer))).toEqual([
      ["message", "text Working."],
      [outside],
      ["queued message"],
      ["queued message"],
    ]);
    writer.end(turn);
    writer.start(second);
    const view = viewOf(writer);
    expect(outline(view)).toEqual([
      ["message", "text Working."],
      [outside],
      ["message"],
      ["queued message"],
    ]);
    expect(view.turns.map((one) => one.end)).toEqual([
      "completed",
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("an error and the way a turn ended are shown", () => {
    const writer = new LogWriter();
    const turn = writer.start(writer.message());
    writer.add("error", { code: "agent_failed", message: "No model." }, turn);
    writer.end(turn, "failed");
    const view = viewOf(writer);
    expect(outline(view)).toEqual([["message", "error agent_failed"]]);
    expect(view.turns[0]).toMatchObject({ kind: "turn", trigger: "user", end: "failed" });
  });

  test("a late answer's message names the prompt that it answers", () => {
    const writer = new LogWriter();
    const turn = writer.start(writer.message());
    const call = writer.call(turn);
    const prompt = writer.ask(call);
    writer.result(call, { result: { pending: true, queued: true } });
    writer.pending(prompt, false, { queued: true });
    writer.end(turn);
    let view = viewOf(writer);
    expect(view.interactions.get(prompt)).toMatchObject({ state: "open", late: "queued" });
    expect(view).toMatchObject({ pending: [], status: "idle" });
    writer.answer(prompt, { late: true });
    writer.message({ source: "late_answer", interactionId: prompt });
    view = viewOf(writer);
    expect(view.interactions.get(prompt)).toMatchObject({ state: "answered" });
    expect(view.interactions.get(prompt)).not.toHaveProperty("late");
    expect(view.turns.at(-1)?.blocks[0]).toMatchObject({
      source: "late_answer",
      interactionId: prompt,
    });
  });
});

describe("calls", () => {
  test("calls next to each other share a block; one that asks stands alone, whenever it asks", () => {
    const writer = new LogWriter();
    const turn = writer.start();
    const [a, b, c] = [writer.call(turn), writer.call(turn), writer.call(turn)];
    expect(outline(viewOf(writer))).toEqual([[`${a}+${b}+${c}`]]);
    const prompt = writer.ask(b);
    expect(outline(viewOf(writer))).toEqual([[a, b, c]]);
    writer.answer(prompt);
    writer.result(b);
    const d = writer.call(turn);
    expect(outline(viewOf(writer))).toEqual([[a, b, `${c}+${d}`]]);
    writer.ask(d);
    const e = writer.call(turn);
    expect(outline(viewOf(writer))).toEqual([[a, b, c, d, e]]);
  });

  test("a questionnaire takes the place of its call's block, and its result adds none", () => {
    const writer = new LogWriter();
    const turn = writer.start();
    const [a, b, c] = [writer.call(turn), writer.call(turn), writer.call(turn)];
    const prompt = writer.ask(b, { presentation: "questionnaire", interactionType: "input" });
    writer.answer(prompt, { action: "submit" });
    writer.result(b, { result: { ok: true } });
    const view = viewOf(writer);
    expect(outline(view)).toEqual([[a, `? ${prompt}`, c]]);
    expect(view.calls.get(b)).toMatchObject({ status: "ok", result: { ok: true } });
  });

  test("what a program asks in the call that runs it stands with that call, in either form", () => {
    const writer = new LogWriter();
    const turn = writer.start();
    const [a, b, c] = [writer.call(turn), writer.call(turn), writer.call(turn)];
    const inside = { anchored: true, toolName: "ask" };
    const question = writer.ask(b, { ...inside, presentation: "questionnaire" });
    const approval = writer.ask(b, inside);
    const view = viewOf(writer);
    expect(outline(view)).toEqual([[a, b, `? ${question}`, c]]);
    expect(view.calls.get(b)).toMatchObject({
      status: "waiting",
      name: "bash",
      interactionIds: [question, approval],
    });
    writer.close(question, "failed");
    writer.close(approval, "failed");
    writer.result(b);
    const after = viewOf(writer);
    expect(outline(after)).toEqual([[a, b, `? ${question}`, c]]);
    expect(after.calls.get(b)?.status).toBe("ok");
    for (const id of [question, approval]) {
      expect(after.interactions.get(id)).toMatchObject({ state: "closed", reason: "failed" });
    }
  });

  test("a prompt that is asked again in a call replaces its own attempt, not another program's", () => {
    const writer = new LogWriter();
    const call = writer.call(writer.start());
    const [one, two] = ["one", "two"].map((toolName) =>
      writer.ask(call, { anchored: true, toolName }),
    );
    if (!one || !two) throw new Error("Nothing was asked.");
    writer.answer(one);
    writer.answer(two);
    writer.askAgain(one);
    const { interactions } = viewOf(writer);
    expect([one, two].map((id) => interactions.get(id)?.state)).toEqual(["replaced", "answered"]);
  });

  test("a call of which only a program's prompt was seen is named by its result", () => {
    const writer = new LogWriter();
    const call = writer.call(writer.start());
    const begin = writer.log.length;
    writer.close(writer.ask(call, { anchored: true, toolName: "ask" }), "failed");
    writer.result(call);
    const late = reduceAll(emptyView("s"), writer.log.slice(begin));
    expect(late.calls.get(call)?.name).toBe("bash");
  });

  test("a call from outside gets a turn of its own, named after its first event", () => {
    const writer = new LogWriter();
    const turn = writer.start();
    const [first, second] = [writer.call(), writer.call()];
    const own = writer.call(turn);
    const prompt = writer.ask(second, { presentation: "questionnaire" });
    const approval = writer.ask(first);
    const view = viewOf(writer);
    expect(outline(view)).toEqual([[own], [first], [`? ${prompt}`]]);
    expect(view.turns.map(({ id, kind }) => [id, kind])).toEqual([
      [turn, "turn"],
      ["e2", "outside"],
      ["e3", "outside"],
    ]);
    expect(view.pending).toEqual([prompt, approval]);
  });

  test("an approval without its call gets a placeholder block, a questionnaire's result none", () => {
    const writer = new LogWriter();
    const turn = writer.start();
    const [approved, asked, plain] = [writer.call(turn), writer.call(turn), writer.call(turn)];
    const begin = writer.log.length;
    const approval = writer.ask(approved);
    const question = writer.ask(asked, { presentation: "questionnaire" });
    const middle = writer.log.length;
    writer.answer(question, { action: "submit" });
    writer.result(asked);
    writer.result(plain);
    const late = reduceAll(emptyView("s"), writer.log.slice(begin));
    expect(outline(late)).toEqual([[approved, `? ${question}`, plain]]);
    expect(late.calls.get(approved)).toMatchObject({
      placeholder: true,
      status: "waiting",
      interactionIds: [approval],
    });
    const later = reduceAll(emptyView("s"), writer.log.slice(middle));
    expect(outline(later)).toEqual([[plain]]);
  });

  test("why a call was let through is kept", () => {
    const writer = new LogWriter();
    writer.result(writer.call(), { result: 1, authorizedBy: "grant:g1" });
    expect([...viewOf(writer).calls.values()][0]).toMatchObject({ authorizedBy: "grant:g1" });
  });
});

describe("prompts", () => {
  test("a re-prompt replaces the prompt before it, in the same block", () => {
    for (const presentation of ["tool", "questionnaire"] as const) {
      const writer = new LogWriter();
      const call = writer.call(writer.start());
      const first = writer.ask(call, { presentation });
      const before = outline(viewOf(writer)).flat().length;
      const block = viewOf(writer).turns[0]?.blocks[0];
      writer.answer(first, { action: "submit", input: { name: "x" } });
      const second = writer.askAgain(first, { error: "Too short" });
      const view = viewOf(writer);
      expect(view.interactions.get(first)).toMatchObject({
        state: "replaced",
        response: { input: { name: "x" } },
      });
      expect(view.interactions.get(second)).toMatchObject({ state: "open", pending: true });
      expect(outline(view).flat()).toHaveLength(before);
      expect(view.turns[0]?.blocks[0]?.id).toBe(block?.id);
      expect(view.pending).toEqual([second]);
    }
  });

  test("the steps that were answered on the way to a prompt are found, oldest first", () => {
    const writer = new LogWriter();
    const call = writer.call(writer.start());
    const first = writer.ask(call, { presentation: "questionnaire" });
    writer.answer(first, { action: "submit", input: { name: "x" } });
    const second = writer.askAgain(first);
    writer.answer(second, { action: "submit", input: { name: "y" } });
    const third = writer.askAgain(second);
    const view = viewOf(writer);
    const last = view.interactions.get(third);
    expect(last && earlierOf(view, last).map(({ id }) => id)).toEqual([first, second]);
  });

  test("a tool that fails after its questionnaire was answered says so with the answer", () => {
    const failure = { code: "tool_error", message: "The hook threw." };
    const answered = (presentation: "tool" | "questionnaire") => {
      const writer = new LogWriter();
      const call = writer.call(writer.start());
      const prompt = writer.ask(call, { presentation });
      writer.answer(prompt, { action: "submit" });
      writer.result(call, { ok: false, error: failure });
      return viewOf(writer).interactions.get(prompt);
    };
    expect(answered("questionnaire")).toMatchObject({ state: "answered", failure });
    expect(answered("tool")).not.toHaveProperty("failure");
  });

  test("a call that was edited when it was approved shows what ran", () => {
    const writer = new LogWriter();
    const call = writer.call(writer.start());
    const prompt = writer.ask(call, { editable: true });
    expect(viewOf(writer).calls.get(call)).not.toHaveProperty("edited");
    writer.answer(prompt, { action: "approve", updatedInput: { command: "echo two" } });
    expect(viewOf(writer).calls.get(call)).toMatchObject({
      input: { command: "echo two" },
      edited: true,
    });
  });

  test.each([
    ["for a program that a call runs", { anchored: true, toolName: "deploy_start" }, {}],
    ["after a call was over", {}, { late: true }],
  ])("what was edited %s is not what the call ran", (_when, request, response) => {
    const writer = new LogWriter();
    const call = writer.call(writer.start());
    const before = viewOf(writer).calls.get(call)?.input;
    const prompt = writer.ask(call, { editable: true, ...request });
    writer.answer(prompt, { action: "approve", updatedInput: { to: "staging" }, ...response });
    expect(viewOf(writer).calls.get(call)).toMatchObject({ input: before });
    expect(viewOf(writer).calls.get(call)).not.toHaveProperty("edited");
  });

  test("a second question of the same call replaces nothing", () => {
    const writer = new LogWriter();
    const call = writer.call(writer.start());
    const [first, second] = [writer.ask(call, { prompt: "A" }), writer.ask(call, { prompt: "B" })];
    writer.answer(first);
    const third = writer.askAgain(first);
    const { interactions } = viewOf(writer);
    expect([first, second, third].map((id) => interactions.get(id)?.state)).toEqual([
      "replaced",
      "open",
      "open",
    ]);
  });

  test("an answer ends the prompt that it names and no other", () => {
    const writer = new LogWriter();
    const turn = writer.start();
    const [one, two] = [writer.ask(writer.call(turn)), writer.ask(writer.call(turn))];
    writer.answer(two, { action: "deny" });
    const view = viewOf(writer);
    expect(view.interactions.get(one)).toMatchObject({ state: "open", pending: true });
    expect(view.interactions.get(two)).toMatchObject({ state: "answered", pending: false });
  });

  test("a call that fails closes its prompt, also if nothing else says so", () => {
    const writer = new LogWriter();
    const call = writer.call(writer.start());
    const prompt = writer.ask(call);
    writer.fail(call);
    const view = viewOf(writer);
    expect(view.interactions.get(prompt)).toMatchObject({
      state: "closed",
      reason: "failed",
      pending: false,
    });
    expect(view).toMatchObject({ pending: [], typing: true, status: "running" });
  });

  test("a prompt whose run is gone stays open as orphaned, and can be superseded", () => {
    const writer = new LogWriter();
    const turn = writer.start();
    const call = writer.call(turn);
    const prompt = writer.ask(call);
    writer.fail(call, "tool_interrupted");
    expect(viewOf(writer).interactions.get(prompt)).toMatchObject({ state: "open" });
    writer.pending(prompt, false, { orphaned: true });
    writer.end(turn, "interrupted");
    expect(viewOf(writer).interactions.get(prompt)).toMatchObject({
      state: "open",
      late: "orphaned",
      pending: false,
    });
    writer.close(prompt, "superseded");
    expect(viewOf(writer).interactions.get(prompt)).toMatchObject({
      state: "closed",
      reason: "superseded",
    });
  });

  test("what is pending is told by interaction_pending alone", () => {
    const writer = new LogWriter();
    const call = writer.call(writer.start());
    const prompt = writer.ask(call);
    expect(viewOf(writer)).toMatchObject({ status: "waiting", typing: false, pending: [prompt] });
    writer.answer(prompt);
    const answered = reduceAll(emptyView("s"), writer.log.slice(0, -1));
    expect(answered.interactions.get(prompt)?.state).toBe("answered");
    expect(answered).toMatchObject({ status: "waiting", typing: false, pending: [prompt] });
    expect(viewOf(writer)).toMatchObject({ status: "running", typing: true, pending: [] });
    expect(viewOf(writer).calls.get(call)?.status).toBe("running");
  });

  test("nobody types while any of several prompts is pending", () => {
    const writer = new LogWriter();
    const turn = writer.start();
    const [one, two] = [writer.ask(writer.call(turn)), writer.ask(writer.call(turn))];
    writer.answer(one);
    expect(viewOf(writer).typing).toBe(false);
    writer.answer(two);
    expect(viewOf(writer).typing).toBe(true);
  });
});

describe("the server's list of open prompts", () => {
  const asked = () => {
    const writer = new LogWriter();
    const call = writer.call(writer.start());
    const prompt = writer.ask(call);
    const cut = writer.log.length;
    writer.add("text", { text: "Meanwhile." });
    return { writer, call, prompt, cut };
  };

  test("shows a prompt that is older than what was read, before it", () => {
    const { writer, call, prompt, cut } = asked();
    const tail = reduceAll(emptyView("s"), writer.log.slice(cut));
    const view = withOpen(tail, [
      writer.record(prompt),
      { ...writer.record(prompt), sessionId: "t" },
    ]);
    expect(outline(view)).toEqual([[call], ["text Meanwhile."]]);
    expect(view).toMatchObject({ pending: [prompt], status: "waiting", typing: false });
    expect(outline(withOpen(view, []))).toEqual([["text Meanwhile."]]);
    expect(prepend(view, writer.log.slice(0, cut))).toEqual(viewOf(writer));
  });

  test("keeps one on the screen that has just ended, whoever tells of it first", () => {
    const { writer, prompt, cut } = asked();
    const listed = withOpen(reduceAll(emptyView("s"), writer.log.slice(cut)), [
      writer.record(prompt),
    ]);
    const told = withOpen(listed, [writer.record(prompt, { status: "timed_out" })]);
    expect(told.interactions.get(prompt)).toMatchObject({ state: "closed", reason: "timed_out" });
    expect(told.pending).toEqual([]);
    writer.answer(prompt, { action: "deny" });
    const heard = withOpen(reduceAll(listed, writer.log.slice(cut + 1)), []);
    expect(heard.interactions.get(prompt)).toMatchObject({ state: "answered", pending: false });
    expect(withOpen(heard, [writer.record(prompt)]).interactions.get(prompt)?.state).toBe(
      "answered",
    );
  });

  test("says nothing about prompts that the log tells of", () => {
    const { writer, prompt } = asked();
    const view = viewOf(writer);
    expect(withOpen(view, [writer.record(prompt)])).toBe(view);
    writer.answer(prompt);
    const after = viewOf(writer);
    expect(withOpen(after, [writer.record(prompt)])).toBe(after);
  });
});

describe("streaming", () => {
  const streaming = () => {
    const writer = new LogWriter();
    const turn = writer.start();
    const piece = (offset: number, text: string, blockId = "b") =>
      writer.transient({ type: "text_delta", turnId: turn, payload: { blockId, offset, text } });
    return { writer, turn, piece };
  };

  test("pieces that repeat or overlap add nothing twice", () => {
    const { writer, piece } = streaming();
    piece(0, "Hello ");
    piece(6, "wor");
    const before = viewOf(writer);
    piece(0, "Hello ");
    piece(8, "rld");
    expect(outline(viewOf(writer))).toEqual([["text Hello world"]]);
    const repeat = writer.sent[1];
    expect(repeat && reduce(before, repeat)).toBe(before);
  });

  test("what was lost is shown as an ellipsis in its place until it comes", () => {
    const { writer, piece } = streaming();
    piece(0, "One ");
    piece(8, "three");
    expect(outline(viewOf(writer))).toEqual([["text One …three"]]);
    piece(4, "two ");
    expect(outline(viewOf(writer))).toEqual([["text One two three"]]);
  });

  test("the finished block takes the place of the streamed one", () => {
    const { writer, turn, piece } = streaming();
    piece(0, "Half");
    expect(viewOf(writer).turns[0]?.blocks[0]).toMatchObject({ id: "b", streaming: true });
    const call = writer.call(turn);
    const next = writer.call(turn);
    expect(outline(viewOf(writer))).toEqual([[`${call}+${next}`, "text Half"]]);
    writer.add("text", { text: "Half and half", blockId: "b" }, turn);
    piece(0, "Half");
    const view = viewOf(writer);
    expect(outline(view)).toEqual([[`${call}+${next}`, "text Half and half"]]);
    expect(view.turns[0]?.blocks[1]).toMatchObject({ id: "b", streaming: false });
  });

  test("what was being written survives an older page, and ends with its turn", () => {
    const { writer, turn, piece } = streaming();
    writer.add("text", { text: "First." }, turn);
    piece(0, "Second");
    const tail = reduceAll(emptyView("s"), writer.sent.slice(2));
    expect(outline(prepend(tail, writer.log.slice(0, 2)))).toEqual([
      ["text First.", "text Second"],
    ]);
    writer.end(turn, "interrupted");
    piece(6, " more");
    expect(outline(viewOf(writer))).toEqual([["text First."]]);
  });

  test("a running call shows the end of its output, which its result replaces", () => {
    const writer = new LogWriter();
    const call = writer.call(writer.start());
    const output = (offset: number, text: string) =>
      writer.transient({
        type: "tool_output_delta",
        payload: { toolCallId: call, offset, text },
      });
    output(0, "a".repeat(60_000));
    output(60_000, "😀".repeat(10_000));
    const shown = viewOf(writer).calls.get(call)?.output ?? "";
    expect(shown.length).toBe(64 * 1024 + 1);
    expect(shown.startsWith("…aaa")).toBe(true);
    expect(shown.endsWith("😀")).toBe(true);
    output(80_000, "b".repeat(64 * 1024 - 1));
    expect(viewOf(writer).calls.get(call)?.output).toBe(`…${"b".repeat(64 * 1024 - 1)}`);
    writer.result(call, { result: "all of it" });
    output(0, "late");
    expect(viewOf(writer).calls.get(call)).toMatchObject({ output: "", result: "all of it" });
  });
});

test("an event leaves everything else as it was, by reference", () => {
  const writer = new LogWriter();
  const first = writer.start(writer.message());
  writer.result(writer.call(first));
  writer.end(first);
  const second = writer.start(writer.message());
  const call = writer.call(second);
  const before = viewOf(writer);
  writer.transient({
    type: "text_delta",
    turnId: second,
    payload: { blockId: "b", offset: 0, text: "…" },
  });
  const after = reduceAll(before, writer.sent.slice(-1));
  expect(after.turns[0]).toBe(before.turns[0]);
  expect(after.turns[1]?.blocks[0]).toBe(before.turns[1]?.blocks[0]);
  expect(after.calls).toBe(before.calls);
  expect(after.interactions).toBe(before.interactions);
  expect(after.pending).toBe(before.pending);
  const older = prepend(reduceAll(emptyView("s"), writer.log.slice(5)), writer.log.slice(0, 5));
  const again = prepend(older, writer.log.slice(0, 5));
  expect(again).toBe(older);
  expect(older.calls.get(call)).toEqual(after.calls.get(call));
});
