import { expect, test } from "vitest";
import type { Question } from "../protocol/index.ts";
import {
  answerInWords,
  decodeAnswer,
  encodeAnswer,
  NO_CHOICE,
  tick,
  toAnswer,
  toChoice,
} from "./answers.ts";

const one: Question = {
  header: "Colour",
  question: "Which colour?",
  options: [{ label: "Red" }, { label: "Blue" }],
  multiSelect: false,
};
const many: Question = { ...one, multiSelect: true };

test("the answer to a question with one answer is its text", () => {
  expect(toAnswer(one, tick(one, NO_CHOICE, 1))).toBe("Blue");
});

test("the answers to a question with several are a list, in the order of the options", () => {
  const choice = tick(many, tick(many, NO_CHOICE, 1), 0);
  expect(toAnswer(many, choice)).toBe('["Red","Blue"]');
});

test("a question with one answer lets go of the one before", () => {
  expect(tick(one, tick(one, NO_CHOICE, 0), "other")).toMatchObject({ options: [], other: true });
});

test("Other without a text is no answer", () => {
  expect(toAnswer(one, { ...NO_CHOICE, other: true, text: " " })).toBeUndefined();
});

test("an answer that is no option is the text of Other", () => {
  expect(toChoice(many, '["Blue","Green"]')).toEqual({ options: [1], other: true, text: "Green" });
});

test.each([
  [many, '["Red","Green"]', ["Red", "Green"]],
  [many, "Red", ["Red"]],
  [many, '{"a":1}', ['{"a":1}']],
  [one, '["Red"]', ['["Red"]']],
  [one, undefined, []],
])("an answer is decoded as the texts that were chosen", (question, answer, texts) => {
  expect(decodeAnswer(question, answer)).toEqual(texts);
});

test("texts are encoded as the protocol has them", () => {
  expect([encodeAnswer(one, ["Red"]), encodeAnswer(many, ["Red"])]).toEqual(["Red", '["Red"]']);
});

test("an answer reads as its texts", () => {
  expect(answerInWords(many, '["Red","Blue"]')).toBe("Red, Blue");
  expect(answerInWords(one, undefined)).toBe("–");
});
