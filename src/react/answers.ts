import type { Question } from "../protocol/index.ts";
import { fromAnswer } from "./from-answer.ts";

/** What is ticked at one question. */
export interface Choice {
  /** Positions of the ticked options. */
  options: number[];
  /** Other is ticked. */
  other: boolean;
  /** Kept while Other is not ticked. */
  text: string;
}

export const NOTHING: Choice = { options: [], other: false, text: "" };

/** The answer as the protocol has it; nothing while the question is not answered. */
export function toAnswer(question: Question, choice: Choice): string | undefined {
  const labels = choice.options
    .toSorted((a, b) => a - b)
    .flatMap((index) => question.options[index]?.label ?? []);
  if (choice.other) {
    if (choice.text.trim() === "") return undefined;
    labels.push(choice.text);
  }
  if (labels.length === 0) return undefined;
  return question.multiSelect ? JSON.stringify(labels) : labels[0];
}

/** What an earlier answer had ticked. What is no option now was, or becomes, free text. */
export function toChoice(question: Question, answer: unknown): Choice {
  const texts = fromAnswer(question, answer);
  const labels = question.options.map(({ label }) => label);
  const text = texts.find((one) => !labels.includes(one)) ?? "";
  const options = labels.flatMap((label, at) => (texts.includes(label) ? [at] : []));
  return { options, other: text !== "", text };
}

/** Ticks one option, or Other (`"other"`); a question with one answer lets go of the one before. */
export function tick(question: Question, choice: Choice, what: number | "other"): Choice {
  const { options, other } = choice;
  if (!question.multiSelect)
    return { ...choice, options: what === "other" ? [] : [what], other: what === "other" };
  if (what === "other") return { ...choice, other: !other };
  return {
    ...choice,
    options: options.includes(what) ? options.filter((one) => one !== what) : [...options, what],
  };
}
