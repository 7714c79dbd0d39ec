import type { Question } from "../protocol/index.ts";

/** An answer back as the texts that were chosen. */
export function fromAnswer(question: Question, answer: unknown): string[] {
  if (typeof answer !== "string") return [];
  if (!question.multiSelect) return [answer];
  try {
    const labels: unknown = JSON.parse(answer);
    return Array.isArray(labels) ? labels.map(String) : [answer];
  } catch {
    return [answer];
  }
}
