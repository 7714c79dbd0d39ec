import { expect, test } from "vitest";
import { toPromptQuestions, withAnswers } from "./questions.ts";

const question = (text: string, multiSelect = false) => ({
  question: text,
  header: "Head",
  multiSelect,
  options: [{ label: "A" }, { label: "B" }],
});

test("answers by index become answers by text", () => {
  const input = { questions: [question("One?"), question("Two?", true)], other: 1 };
  const answers = { "0": "A", "1": '["A","own words"]' };
  expect(withAnswers(input, { action: "submit", input: { answers } })).toEqual({
    ...input,
    answers: { "One?": "A", "Two?": "A, own words" },
  });
});

test("equal texts are told apart, so that no answer stands over another", () => {
  const questions = [question("Which?"), question("Which? (2)"), question("Which?")];
  const answers = { "0": "A", "1": "B", "2": "C" };
  const given = withAnswers({ questions }, { action: "submit", input: { answers } });
  expect(given["answers"]).toEqual({ "Which?": "A", "Which? (2)": "B", "Which? (3)": "C" });
  expect(given["questions"]).toMatchObject([
    { question: "Which?" },
    { question: "Which? (2)" },
    { question: "Which? (3)" },
  ]);
});

test("a header that is too long for the wire is shown cut, by whole characters", () => {
  const [shown] = toPromptQuestions([{ ...question("Which?"), header: "👍".repeat(20) }]) ?? [];
  expect(shown?.header).toBe("👍".repeat(12));
});
