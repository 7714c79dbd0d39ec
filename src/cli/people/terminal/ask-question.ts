import type { Question } from "../../../protocol/index.ts";
import { type Asked, progressLines, waysToPick } from "./asked.ts";
import { type Desk, paperOf } from "./desk.ts";
import { editLine } from "./edit-line.ts";
import { hint, quoted } from "./layout.ts";
import { pick } from "./pick.ts";

const OTHER = { label: "Other", description: "Write it yourself." };

/** Asks one question; the answer is text as the protocol has it. */
export async function askQuestion(
  desk: Desk,
  question: Question,
  asked: Asked,
): Promise<{ value: string } | "back" | "escape"> {
  let { error } = asked;
  const labels = question.options.map(({ label }) => label);
  const before = textsOf(question, asked.value);
  let own = before.find((one) => !labels.includes(one)) ?? "";
  let chosen = labels.flatMap((label, at) => (before.includes(label) ? [at] : []));
  if (own !== "") chosen.push(labels.length);
  for (;;) {
    const picked = await pick(desk, {
      above: linesAbove(desk, question, asked),
      below: linesBelow(desk, question, asked, error),
      options: [...question.options, OTHER],
      many: question.multiSelect,
      chosen,
      signal: asked.signal,
    });
    if (typeof picked === "string") return picked;
    chosen = picked;
    const texts = picked.flatMap((at) => labels[at] ?? []);
    if (picked.includes(labels.length)) {
      const written = await write(desk, question, asked, own);
      if (written === undefined) continue;
      own = written;
      texts.push(written);
    }
    if (texts.length > 0) {
      return { value: question.multiSelect ? JSON.stringify(texts) : (texts[0] ?? "") };
    }
    error = "This question needs an answer.";
  }
}

/** The free text; nothing if the person went back to the options. */
async function write(
  desk: Desk,
  question: Question,
  asked: Asked,
  value: string,
): Promise<string | undefined> {
  const { signal } = asked;
  const above = linesAbove(desk, question, asked);
  const below = hint("Enter goes on · Esc back to the options", paperOf(desk));
  const typed = await editLine(desk, { above, below, value, multiline: true, signal });
  return typeof typed === "string" || typed.text.trim() === "" ? undefined : typed.text;
}

export function answerInWords(question: Question, value: unknown): string {
  return textsOf(question, value).join(", ") || "–";
}

function textsOf({ multiSelect }: Question, answer: unknown): string[] {
  if (typeof answer !== "string") return [];
  if (!multiSelect) return [answer];
  try {
    const texts: unknown = JSON.parse(answer);
    return Array.isArray(texts) ? texts.map(String) : [answer];
  } catch {
    return [answer];
  }
}

function linesAbove(desk: Desk, { header, question }: Question, asked: Asked): string[] {
  const paper = paperOf(desk);
  const { style } = paper;
  return [
    ...(header === "" ? [] : quoted(header, paper, style.cyan)),
    ...quoted(question, paper, style.bold),
    ...progressLines(asked, paper),
  ];
}

function linesBelow(desk: Desk, question: Question, { at }: Asked, error?: string): string[] {
  const paper = paperOf(desk);
  const ways = waysToPick(question.multiSelect);
  const back = at > 0 ? " · Shift+Tab question before" : "";
  return [
    ...(error === undefined ? [] : quoted(error, paper, paper.style.red)),
    ...hint(`${ways}${back} · Esc other ways`, paper),
  ];
}
