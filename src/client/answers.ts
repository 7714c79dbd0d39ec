import type { Question } from "../protocol/index.ts";

/** What is ticked at one question. */
export interface Choice {
  /** Positions of the ticked options. */
  options: number[];
  /** Other is ticked. */
  other: boolean;
  /** Kept while Other is not ticked. */
  text: string;
}

export const NO_CHOICE: Choice = { options: [], other: false, text: "" };

/** The answer as the protocol has it; nothing while the question is not answered. */
export function toAnswer(question: Question, choice: Choice): string | undefined {
  const labels = choice.options
    .toSorted((a, b) => a - b)
    .flatMap((index) => question.options[index]?.label ?? []);
  if (choice.other) {
    if (choice.text.trim() === "") return undefined;
    labels.push(choice.text);
  }
  return labels.length === 0 ? undefined : encodeAnswer(question, labels);
}

/** Chosen texts as the protocol has them: one text, of a question with several answers as JSON. */
export function encodeAnswer({ multiSelect }: Question, texts: string[]): string {
  return multiSelect ? JSON.stringify(texts) : (texts.at(-1) ?? "");
}

/** An answer back as the texts that were chosen. */
export function decodeAnswer({ multiSelect }: Question, answer: unknown): string[] {
  if (typeof answer !== "string") return [];
  if (!multiSelect) return [answer];
  try {
    const texts: unknown = JSON.parse(answer);
    return Array.isArray(texts) ? texts.map(String) : [answer];
  } catch {
    return [answer];
  }
}

/** An answer in words, for reading. */
export function answerInWords(question: Question, answer: unknown): string {
  return decodeAnswer(question, answer).join(", ") || "–";
}

/** What an earlier answer had ticked. What is no option now was, or becomes, free text. */
export function toChoice(question: Question, answer: unknown): Choice {
  const texts = decodeAnswer(question, answer);
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
