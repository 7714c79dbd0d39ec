import { screen, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { prompt, response } from "../../test/components/prompts.ts";
import { freshPage, show } from "../../test/components/show.tsx";
import type { Question } from "../protocol/index.ts";
import { QuestionPrompt } from "./index.ts";

freshPage();

const COLOUR: Question = {
  header: "Colour",
  question: "Which colour?",
  options: [{ label: "Red", description: "Like a rose" }, { label: "Blue" }],
  multiSelect: false,
};
const SIZES: Question = {
  header: "Sizes",
  question: "Which sizes?",
  options: [{ label: "Small" }, { label: "Large", preview: "LARGE\n  preview" }],
  multiSelect: true,
};

const submit = () => screen.getByRole<HTMLButtonElement>("button", { name: "Submit" });
const plain = (questions: Question[]) => (
  <QuestionPrompt sessionId="s1" toolCallId="call-1" questions={questions} />
);
const full = (questions = [COLOUR], view: Parameters<typeof prompt>[1] = {}) => (
  <QuestionPrompt
    sessionId="s1"
    interaction={prompt({ questions, presentation: "questionnaire" }, view)}
  />
);

describe("with just the call and its questions", () => {
  test("a question with one answer has radio buttons", () => {
    show(plain([COLOUR]));
    expect(screen.getAllByRole("radio").length).toBe(3);
    expect(screen.getByText("Colour")).toBeTruthy();
    expect(screen.getByText("Like a rose")).toBeTruthy();
  });

  test("questions with several answers have checkboxes", () => {
    show(plain([SIZES, { ...SIZES, question: "And which more?" }]));
    expect(screen.getAllByRole("checkbox").length).toBe(6);
    expect(screen.queryAllByRole("radio").length).toBe(0);
  });

  test("Other, with its text, is always there", () => {
    show(plain([COLOUR, SIZES]));
    expect(screen.getAllByLabelText("Other").length).toBe(2);
    expect(screen.getByRole("textbox", { name: "Other: Which colour?" })).toBeTruthy();
    expect(screen.getByRole("textbox", { name: "Other: Which sizes?" })).toBeTruthy();
  });

  test("Submit is disabled until every question is answered", async () => {
    const { user } = show(plain([COLOUR, SIZES]));
    expect(submit().disabled).toBe(true);
    await user.click(screen.getByLabelText(/Red/));
    expect(submit().disabled).toBe(true);
    expect(screen.getByText("1 of 2 answered")).toBeTruthy();
    await user.click(screen.getByLabelText("Small"));
    expect(submit().disabled).toBe(false);
    await user.click(screen.getByLabelText("Small"));
    expect(submit().disabled).toBe(true);
  });

  test("Other counts as an answer once something is written", async () => {
    const { user } = show(plain([COLOUR]));
    await user.click(screen.getByLabelText("Other"));
    expect(submit().disabled).toBe(true);
    await user.type(screen.getByRole("textbox"), "  ");
    expect(submit().disabled).toBe(true);
  });

  test("submits labels by index, a JSON array where several may be chosen", async () => {
    const { user, press, transport } = show(plain([COLOUR, SIZES]));
    await user.click(screen.getByLabelText(/Blue/));
    await user.click(screen.getByLabelText("Large"));
    await user.click(screen.getByLabelText("Small"));
    await press(submit());
    const [args] = transport.argumentsOf("submitAnswers");
    expect(args?.slice(0, 3)).toEqual(["s1", "call-1", { "0": "Blue", "1": '["Small","Large"]' }]);
  });

  test("writing ticks Other, and its text is the answer, one more entry among several", async () => {
    const { user, press, transport } = show(plain([COLOUR, SIZES]));
    await user.type(screen.getByRole("textbox", { name: "Other: Which colour?" }), "Green");
    await user.click(screen.getByLabelText("Small"));
    await user.type(screen.getByRole("textbox", { name: "Other: Which sizes?" }), 'a "new" one');
    await press(submit());
    const [args] = transport.argumentsOf("submitAnswers");
    expect(args?.[2]).toEqual({ "0": "Green", "1": '["Small","a \\"new\\" one"]' });
  });

  test("collapses to what was chosen", async () => {
    const { user, press, state } = show(plain([COLOUR, SIZES]));
    await user.click(screen.getByLabelText(/Blue/));
    await user.click(screen.getByLabelText("Small"));
    await user.click(screen.getByLabelText("Large"));
    await press(submit());
    expect(state()).toBe("completed");
    expect(screen.queryByRole("button")).toBeNull();
    expect(screen.queryByRole("radio")).toBeNull();
    expect(screen.getByText("Blue")).toBeTruthy();
    expect(screen.getByText("Small, Large")).toBeTruthy();
  });

  test("a refusal is shown, and the form is as it was", async () => {
    const { user, press, transport } = show(plain([COLOUR]));
    transport.replies = [{ ok: false, code: "store_unavailable", error: "The disk is full." }];
    await user.click(screen.getByLabelText(/Blue/));
    await press(submit());
    expect(screen.getByRole("alert").textContent).toBe("The disk is full.");
    expect(screen.getByLabelText<HTMLInputElement>(/Blue/).checked).toBe(true);
    expect(screen.getByLabelText<HTMLInputElement>(/Blue/).matches(":disabled")).toBe(false);
  });

  test("nobody replied: it says so, keeps the answer, and sends it again under the same id", async () => {
    const { user, press, transport, pass } = show(plain([COLOUR]));
    transport.replies = [() => Promise.reject(new Error("unreachable"))];
    await user.click(screen.getByLabelText(/Blue/));
    await press(submit());
    expect(screen.getByRole("alert").textContent).toMatch(/not sent \(unreachable\).*kept/);
    await pass(500);
    await press(submit());
    const [first, second] = transport.argumentsOf("submitAnswers");
    expect(second).toEqual(first);
    expect(screen.getByText("Blue")).toBeTruthy();
  });

  test("another answer than the one that got no reply goes under another id", async () => {
    const { user, press, transport, pass } = show(plain([COLOUR]));
    transport.replies = [() => Promise.reject(new Error("unreachable"))];
    await user.click(screen.getByLabelText(/Blue/));
    await press(submit());
    await pass(500);
    await user.click(screen.getByLabelText(/Red/));
    await press(submit());
    const ids = transport.argumentsOf("submitAnswers").map((args) => args[3]);
    expect(ids[0]).not.toEqual(ids[1]);
  });
});

describe("with its interaction", () => {
  test("answers that prompt by its id", async () => {
    const { user, press, transport } = show(full());
    await user.click(screen.getByLabelText(/Blue/));
    await press(submit());
    const [sent] = transport.sent;
    expect(sent?.to).toEqual({
      sessionId: "s1",
      toolCallId: "call-1",
      interactionId: "prompt-1",
    });
    expect(sent?.body).toMatchObject({ action: "submit", input: { answers: { "0": "Blue" } } });
  });

  test("can be left unanswered", async () => {
    const { user, transport } = show(full());
    await user.click(screen.getByRole("button", { name: "Don’t answer" }));
    expect(transport.sent[0]?.body).toMatchObject({ action: "cancel" });
  });

  test("somebody else was first: shows their answer and who it was", async () => {
    const { user, press, transport, state, announced } = show(full());
    const winner = response({ input: { answers: { "0": "Red" } } });
    transport.replies = [{ ok: false, code: "already_answered", error: "Late.", response: winner }];
    await user.click(screen.getByLabelText(/Blue/));
    await press(submit());
    expect(state()).toBe("completed_elsewhere");
    expect(screen.getByText("Red")).toBeTruthy();
    expect(screen.getAllByText(/another device.*Ann/).length).toBeGreaterThan(0);
    expect(announced()).toMatch(/another device.*Ann/);
  });

  test("it closed while somebody was choosing: what was chosen can still be read", async () => {
    const { user, now, state, card } = show(full());
    await user.click(screen.getByLabelText(/Blue/));
    now(full([COLOUR], { state: "closed", reason: "timed_out", pending: false }));
    expect(state()).toBe("timed_out");
    expect(card().textContent).toContain("Nobody answered");
    const unsent = screen.getByText(/not sent/).parentElement!;
    expect(within(unsent).getByText("Blue")).toBeTruthy();
  });

  test("an error of one question stands at that question", async () => {
    const { user, press, transport } = show(full([COLOUR, SIZES]));
    transport.replies = [
      {
        ok: false,
        code: "invalid_response",
        error: "Look again.",
        fieldErrors: { "0": "Not that." },
      },
    ];
    await user.click(screen.getByLabelText(/Blue/));
    await user.click(screen.getByLabelText("Small"));
    await press(submit());
    const group = screen.getByRole("radiogroup");
    expect(group.getAttribute("aria-invalid")).toBe("true");
    expect(document.getElementById(group.getAttribute("aria-describedby")!)?.textContent).toBe(
      "Not that.",
    );
    expect(group.contains(document.activeElement)).toBe(true);
    await user.click(screen.getByLabelText(/Red/));
    expect(screen.queryByText("Not that.")).toBeNull();
  });

  test("half an answer is still there after a reload, and gone once it is sent", async () => {
    const first = show(full([COLOUR, SIZES]));
    await first.user.type(screen.getByRole("textbox", { name: "Other: Which colour?" }), "Green");
    first.unmount();
    const { user, press, unmount } = show(full([COLOUR, SIZES]));
    expect(screen.getByDisplayValue("Green")).toBeTruthy();
    await user.click(screen.getByLabelText("Small"));
    await press(submit());
    unmount();
    show(full([COLOUR, SIZES]));
    expect(screen.queryByDisplayValue("Green")).toBeNull();
  });
});

describe("by keys", () => {
  test("digits choose at the first question that is open, Ctrl+Enter submits", async () => {
    const { user, transport, card } = show(full([COLOUR, { ...COLOUR, question: "And now?" }]));
    expect(document.activeElement).toBe(card());
    await user.keyboard("2");
    await user.keyboard("1");
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(transport.sent[0]?.body.input).toEqual({ answers: { "0": "Blue", "1": "Red" } });
  });

  test("several digits tick several boxes of one question", async () => {
    const { user, transport } = show(full([SIZES]));
    await user.keyboard("12{Meta>}{Enter}{/Meta}");
    expect(transport.sent[0]?.body.input).toEqual({ answers: { "0": '["Small","Large"]' } });
  });

  test("digits and Enter in the text of Other are text, and Esc leaves it without answering", async () => {
    const { user, transport, card } = show(full());
    const other = screen.getByRole<HTMLInputElement>("textbox");
    await user.click(other);
    await user.keyboard("12{Enter}");
    expect(other.value).toBe("12");
    await user.keyboard("{Escape}");
    expect(document.activeElement).toBe(card());
    expect(other.value).toBe("12");
    expect(transport.sent).toEqual([]);
  });
});
