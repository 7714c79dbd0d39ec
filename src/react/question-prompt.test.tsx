import { act, screen, within } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { prompt, response } from "../../test/components/prompts.ts";
import { answerWith, freshPage, sent, show } from "../../test/components/show.tsx";
import { shows } from "../../test/support/shows.ts";
import type { Question } from "../protocol/index.ts";
import { QuestionPrompt, useQuestionPrompt } from "./index.ts";

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

const next = (user: ReturnType<typeof show>["user"]) =>
  user.click(screen.getByRole("button", { name: "Next" }));

describe("with just the call and its questions", () => {
  shows("card:single-and-multi", "a question with one answer has radio buttons", async () => {
    const { user } = show(plain([COLOUR]));
    const radios = screen.getAllByRole<HTMLInputElement>("radio");
    for (const radio of radios) await user.click(radio);
    expect(radios.map(({ checked }) => checked)).toEqual([false, false, true]);
    expect(screen.queryAllByRole("checkbox").length).toBe(0);
  });

  shows("card:options", "each option shows its label, and what is said about it", () => {
    show(plain([COLOUR]));
    const names = screen.getAllByRole<HTMLInputElement>("radio").map(({ labels }) => {
      const parts = [...(labels?.[0]?.children ?? [])];
      return parts.map(({ textContent }) => textContent).filter(Boolean);
    });
    expect(names).toEqual([["Red", "Like a rose"], ["Blue"], ["Other"]]);
  });

  shows("card:chips", "each question shows its header and its text", async () => {
    // Where nothing else does, the header names the card.
    const { user, now } = show(plain([COLOUR]));
    expect(screen.getByRole("group", { name: "Colour" })).toBeTruthy();
    expect(screen.getByRole("radiogroup", { name: "Which colour?" })).toBeTruthy();
    const interaction = prompt({ questions: [COLOUR], prompt: "For the door" }, { id: "prompt-2" });
    now(<QuestionPrompt sessionId="s1" interaction={interaction} />);
    expect(screen.getByRole("radiogroup", { name: "Colour Which colour?" })).toBeTruthy();
    now(plain([COLOUR, SIZES]));
    const chips = within(screen.getByRole("navigation")).getAllByRole("button");
    expect(chips.map(({ textContent }) => textContent)).toEqual(["Colour", "Sizes"]);
    for (const [at, question] of ["Which colour?", "Which sizes?"].entries()) {
      await user.click(chips[at]!);
      expect(chips[at]?.getAttribute("aria-current")).toBe("step");
      expect(screen.getByText(question)).toBeTruthy();
    }
  });

  shows("card:single-and-multi", "questions with several answers have checkboxes", async () => {
    const { user } = show(plain([SIZES, { ...SIZES, question: "And which more?" }]));
    for (const question of ["Which sizes?", "And which more?"]) {
      expect(screen.getByText(question)).toBeTruthy();
      expect(screen.getAllByRole("checkbox").length).toBe(3);
      expect(screen.queryAllByRole("radio").length).toBe(0);
      const next = screen.queryByRole("button", { name: "Next" });
      if (next) await user.click(next);
    }
  });

  shows(
    ["card:other", "gateway:other"],
    "Other is always there, and choosing it leads to its text",
    async () => {
      const { user } = show(plain([COLOUR, SIZES]));
      for (const name of ["Other: Which colour?", "Other: Which sizes?"]) {
        expect(screen.queryByRole("textbox")).toBeNull();
        await user.click(screen.getByLabelText("Other"));
        expect(document.activeElement).toBe(screen.getByRole("textbox", { name }));
        const next = screen.queryByRole("button", { name: "Next" });
        if (next) await user.click(next);
      }
    },
  );

  test("arrows pass by Other without being caught in its text", async () => {
    // What jsdom lacks of CSS.
    vi.stubGlobal("CSS", { escape: (text: string) => text });
    const { user } = show(plain([COLOUR]));
    await user.click(screen.getByLabelText("Blue"));
    await user.keyboard("{ArrowDown}");
    expect(screen.getByLabelText<HTMLInputElement>("Other").checked).toBe(true);
    expect(screen.getByRole("textbox")).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText("Other"));
  });

  shows("card:all-answered", "Submit is disabled until every question is answered", async () => {
    const { user } = show(plain([COLOUR, SIZES]));
    await user.click(screen.getByRole("button", { name: "Next" }));
    expect(submit().disabled).toBe(true);
    await user.click(screen.getByRole("button", { name: "Back" }));
    await user.click(screen.getByLabelText(/Red/));
    expect(screen.getByText("1 of 2 answered")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Next" }));
    expect(submit().disabled).toBe(true);
    await user.click(screen.getByLabelText("Small"));
    expect(submit().disabled).toBe(false);
    await user.click(screen.getByLabelText("Small"));
    expect(submit().disabled).toBe(true);
  });

  shows("card:all-answered", "Other counts as an answer once something is written", async () => {
    const { user } = show(plain([COLOUR]));
    await user.click(screen.getByLabelText("Other"));
    expect(submit().disabled).toBe(true);
    await user.type(screen.getByRole("textbox"), "  ");
    expect(submit().disabled).toBe(true);
    await user.type(screen.getByRole("textbox"), "Green");
    expect(submit().disabled).toBe(false);
  });

  shows(
    ["card:answers", "card:several-answers"],
    "submits labels by index, a JSON array where several may be chosen",
    async () => {
      const { user, press, transport } = show(plain([COLOUR, SIZES]));
      await user.click(screen.getByLabelText(/Blue/));
      await next(user);
      await user.click(screen.getByLabelText("Large"));
      await user.click(screen.getByLabelText("Small"));
      await press(submit());
      const [args] = transport.argumentsOf("submitAnswers");
      expect(args?.slice(0, 3)).toEqual([
        "s1",
        "call-1",
        { "0": "Blue", "1": '["Small","Large"]' },
      ]);
    },
  );

  shows(
    ["card:answers", "card:several-answers"],
    "the text of Other is the answer, one more entry among several",
    async () => {
      const { user, press, transport } = show(plain([COLOUR, SIZES]));
      await user.click(screen.getByLabelText("Other"));
      await user.keyboard("Green");
      await next(user);
      await user.click(screen.getByLabelText("Small"));
      await user.click(screen.getByLabelText("Other"));
      await user.keyboard('a "new" one');
      await press(submit());
      const [args] = transport.argumentsOf("submitAnswers");
      expect(args?.[2]).toEqual({ "0": "Green", "1": '["Small","a \\"new\\" one"]' });
    },
  );

  shows(["card:collapses", "gateway:card-collapses"], "collapses to what was chosen", async () => {
    const { user, press, state } = show(plain([COLOUR, SIZES]));
    await user.click(screen.getByLabelText(/Blue/));
    await next(user);
    await user.click(screen.getByLabelText("Small"));
    await user.click(screen.getByLabelText("Large"));
    await press(submit());
    expect(state()).toBe("completed");
    expect(screen.queryByRole("button")).toBeNull();
    expect(screen.queryByRole("radio")).toBeNull();
    expect(screen.queryByText("Like a rose")).toBeNull();
    expect(screen.getByText("Blue")).toBeTruthy();
    expect(screen.getByText("Small, Large")).toBeTruthy();
  });

  shows("card:failed-send", "a refusal is shown, and the form is as it was", async () => {
    const { user, press, transport } = show(plain([COLOUR]));
    answerWith(transport, { ok: false, code: "store_unavailable", error: "The disk is full." });
    await user.click(screen.getByLabelText(/Blue/));
    await press(submit());
    expect(screen.getByRole("alert").textContent).toBe("The disk is full.");
    expect(screen.getByLabelText<HTMLInputElement>(/Blue/).checked).toBe(true);
    expect(screen.getByLabelText<HTMLInputElement>(/Blue/).matches(":disabled")).toBe(false);
  });

  shows(
    "card:failed-send",
    "nobody replied: it says so, keeps the answer, and sends it again under the same id",
    async () => {
      const { user, press, transport, pass } = show(plain([COLOUR]));
      answerWith(transport, () => Promise.reject(new Error("unreachable")));
      await user.click(screen.getByLabelText(/Blue/));
      await press(submit());
      expect(screen.getByRole("alert").textContent).toMatch(/not sent \(unreachable\).*kept/);
      await pass(500);
      await press(submit());
      const [first, second] = transport.argumentsOf("submitAnswers");
      expect(second).toEqual(first);
      expect(screen.getByText("Blue")).toBeTruthy();
    },
  );

  test("another answer than the one that got no reply goes under another id", async () => {
    const { user, press, transport, pass } = show(plain([COLOUR]));
    answerWith(transport, () => Promise.reject(new Error("unreachable")));
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
    const [answer] = sent(transport);
    expect(answer?.to).toEqual({
      sessionId: "s1",
      toolCallId: "call-1",
      interactionId: "prompt-1",
    });
    expect(answer?.body).toMatchObject({ action: "submit", input: { answers: { "0": "Blue" } } });
  });

  test("can be left unanswered", async () => {
    const { user, transport } = show(full());
    await user.click(screen.getByRole("button", { name: "Skip" }));
    expect(sent(transport)[0]?.body).toMatchObject({ action: "cancel" });
  });

  test("somebody else was first: shows their answer and who it was", async () => {
    const { user, press, transport, state, announced } = show(full());
    const winner = response({ input: { answers: { "0": "Red" } } });
    answerWith(transport, {
      ok: false,
      code: "already_answered",
      error: "Late.",
      response: winner,
    });
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

  test("can be declined, at once", async () => {
    const { user, transport } = show(full(), { fresh: true });
    const decline = screen.getByRole("button", { name: "Refuse" });
    expect(screen.getByText(/Refuse says no/)).toBeTruthy();
    await user.click(decline);
    expect(sent(transport)[0]?.body).toMatchObject({ action: "deny" });
  });

  test("an error of one question leads to that question", async () => {
    const { user, press, transport } = show(full([COLOUR, SIZES]));
    answerWith(transport, {
      ok: false,
      code: "invalid_response",
      error: "Look again.",
      fieldErrors: { "0": "Not that." },
    });
    await user.click(screen.getByLabelText(/Blue/));
    await next(user);
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
    await first.user.click(screen.getByLabelText("Other"));
    await first.user.keyboard("Green");
    first.unmount();
    const { user, press, unmount } = show(full([COLOUR, SIZES]));
    expect(screen.getByText("Which sizes?")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Back" }));
    expect(screen.getByDisplayValue("Green")).toBeTruthy();
    await next(user);
    await user.click(screen.getByLabelText("Small"));
    await press(submit());
    unmount();
    show(full([COLOUR, SIZES]));
    expect(screen.getByText("Which colour?")).toBeTruthy();
    expect(screen.queryByDisplayValue("Green")).toBeNull();
  });
});

describe("several questions, one at a time", () => {
  const THREE = [COLOUR, SIZES, { ...COLOUR, header: "Trim", question: "Which trim?" }];
  const chip = (name: string) => screen.getByRole("button", { name });
  const current = () => document.querySelector("[aria-current=step]")?.textContent;

  test("one question has no steps", () => {
    show(full());
    expect(screen.queryByRole("navigation")).toBeNull();
    expect(screen.queryByRole("button", { name: "Next" })).toBeNull();
    expect(screen.queryByText(/answered/)).toBeNull();
  });

  test("the chips say which is on screen and which are answered, and lead to each", async () => {
    const { user } = show(full(THREE));
    expect(current()).toBe("Colour");
    expect(screen.queryByText("Which sizes?")).toBeNull();
    await user.click(screen.getByLabelText(/Red/));
    expect(chip("Colour, answered")).toBeTruthy();
    await user.click(chip("Trim"));
    expect(current()).toBe("Trim");
    expect(screen.getByText("Which trim?")).toBeTruthy();
    expect(screen.getByRole("radiogroup").contains(document.activeElement)).toBe(true);
    expect(screen.getByText("1 of 3 answered")).toBeTruthy();
  });

  test("the chips are reached and pressed by keys", async () => {
    const { user } = show(full(THREE));
    await user.tab();
    expect(document.activeElement).toBe(chip("Colour"));
    await user.tab();
    await user.keyboard("{Enter}");
    expect(current()).toBe("Sizes");
    await user.keyboard("12");
    expect(screen.getAllByRole<HTMLInputElement>("checkbox").map(({ checked }) => checked)).toEqual(
      [true, true, false],
    );
  });

  test("a digit that was typed for what was there before chooses nothing in a fresh card", async () => {
    const { user, pass, card } = show(full(THREE), { fresh: true });
    expect(document.activeElement).toBe(card());
    await user.keyboard("2");
    await pass(400);
    await user.keyboard("2");
    expect(card().querySelector(":checked")).toBeNull();
    await pass(100);
    await user.keyboard("2");
    expect(card().querySelector(":checked")).not.toBeNull();
  });

  test("Ctrl+Enter goes to the next without an answer, around the end", async () => {
    const { user, transport } = show(full(THREE));
    const go = () => user.keyboard("{Control>}{Enter}{/Control}");
    await user.click(chip("Trim"));
    await user.keyboard("1");
    await go();
    expect(current()).toBe("Colour");
    await user.keyboard("1");
    await go();
    expect(current()).toBe("Sizes");
    await user.keyboard("1");
    await go();
    expect(sent(transport)[0]?.body.input).toEqual({
      answers: { "0": "Red", "1": '["Small"]', "2": "Red" },
    });
  });

  test("once all are answered, Submit is on every step", async () => {
    const { user, press, transport } = show(full([COLOUR, { ...COLOUR, question: "And now?" }]));
    await user.keyboard("1");
    expect(screen.queryByRole("button", { name: "Submit" })).toBeNull();
    await next(user);
    await user.keyboard("2");
    await user.click(screen.getByRole("button", { name: "Back" }));
    await press(submit());
    expect(sent(transport).length).toBe(1);
  });

  test("an error that came with the prompt is where it begins; mending it goes nowhere", async () => {
    const fieldErrors = { "1": "Not those.", "2": "Not that." };
    const { user } = show(
      <QuestionPrompt sessionId="s1" interaction={prompt({ questions: THREE, fieldErrors })} />,
    );
    expect(current()).toBe("Sizes");
    await user.click(screen.getByLabelText("Small"));
    expect(current()).toBe("Sizes");
  });

  test("where it can only be read, every question still can", async () => {
    const { user } = show(full(THREE), { interactive: false });
    await user.click(chip("Sizes"));
    expect(screen.getByText("Which sizes?")).toBeTruthy();
  });

  test("who draws their own card has the steps too", () => {
    let model: ReturnType<typeof useQuestionPrompt> | undefined;
    const Headless = () => {
      model = useQuestionPrompt({ sessionId: "s1", interaction: prompt({ questions: THREE }) });
      return null;
    };
    show(<Headless />);
    act(() => model?.write(0, "Green"));
    expect(model?.choices[0]).toEqual({ options: [], other: true, text: "Green" });
    act(() => model?.proceed());
    expect(model?.step).toBe(1);
    act(() => model?.goTo(2));
    act(() => model?.proceed());
    expect(model?.step).toBe(1);
  });
});

describe("by keys", () => {
  test("digits choose in the question on screen, Ctrl+Enter goes on and then submits", async () => {
    const { user, transport, card } = show(full([COLOUR, { ...COLOUR, question: "And now?" }]));
    expect(document.activeElement).toBe(card());
    await user.keyboard("12");
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(screen.getByText("And now?")).toBeTruthy();
    await user.keyboard("1");
    expect(sent(transport)).toEqual([]);
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(sent(transport)[0]?.body.input).toEqual({ answers: { "0": "Blue", "1": "Red" } });
  });

  test("several digits tick several boxes of one question", async () => {
    const { user, transport } = show(full([SIZES]));
    await user.keyboard("12{Meta>}{Enter}{/Meta}");
    expect(sent(transport)[0]?.body.input).toEqual({ answers: { "0": '["Small","Large"]' } });
  });

  test("Enter in the text of Other submits the only question", async () => {
    const { user, transport } = show(full());
    await user.keyboard("3");
    await user.keyboard("{Enter}");
    expect(sent(transport)).toEqual([]);
    await user.keyboard("12{Shift>}{Enter}{/Shift}{Control>}1{/Control}");
    expect(sent(transport)).toEqual([]);
    await user.keyboard("{Enter}");
    expect(sent(transport).map(({ body }) => body.input)).toEqual([{ answers: { 0: "12" } }]);
  });

  test("digits in the text of Other are text, and Esc leaves it without answering", async () => {
    const { user, transport, card } = show(full());
    await user.keyboard("3");
    const other = screen.getByRole<HTMLInputElement>("textbox");
    expect(document.activeElement).toBe(other);
    await user.keyboard("12");
    expect(other.value).toBe("12");
    await user.keyboard("{Escape}");
    expect(document.activeElement).toBe(card());
    expect(other.value).toBe("12");
    expect(sent(transport)).toEqual([]);
  });
});
