import { toAnswer, toChoice } from "../../../client/answers.ts";
import type { Question } from "../../../protocol/index.ts";
import { type Asked, progressLines, waysToPick } from "./asked.ts";
import { type TerminalUi, layoutOf } from "./terminal-ui.ts";
import { editLine } from "./edit-line.ts";
import { hint, quoted } from "./layout.ts";
import { pick } from "./pick.ts";

const OTHER = { label: "Other", description: "Write it yourself." };

/** Asks one question; the answer is text as the protocol has it. */
export async function askQuestion(
  ui: TerminalUi,
  question: Question,
  asked: Asked<string>,
): Promise<{ value: string } | "back" | "escape"> {
  const other = question.options.length;
  let choice = toChoice(question, asked.value);
  let { error } = asked;
  for (;;) {
    const picked = await pick(ui, {
      above: linesAbove(ui, question, asked),
      below: linesBelow(ui, question, asked, error),
      options: [...question.options, OTHER],
      many: question.multiSelect,
      chosen: choice.other ? [...choice.options, other] : choice.options,
      signal: asked.signal,
    });
    if (typeof picked === "string") return picked;
    const options = picked.filter((at) => at !== other);
    choice = { options, other: picked.includes(other), text: choice.text };
    if (choice.other) {
      const text = await write(ui, question, asked, choice.text);
      if (text === undefined) continue;
      choice = { options, other: true, text };
    }
    const value = toAnswer(question, choice);
    if (value !== undefined) return { value };
    error = "This question needs an answer.";
  }
}

/** The free text; nothing if the person went back to the options. */
async function write(
  ui: TerminalUi,
  question: Question,
  asked: Asked<string>,
  value: string,
): Promise<string | undefined> {
  const { signal } = asked;
  const above = linesAbove(ui, question, asked);
  const below = hint("Enter goes on · Esc back to the options", layoutOf(ui));
  const typed = await editLine(ui, { above, below, value, multiline: true, signal });
  return typeof typed === "string" || typed.text.trim() === "" ? undefined : typed.text;
}

function linesAbove(
  ui: TerminalUi,
  { header, question }: Question,
  asked: Asked<string>,
): string[] {
  const layout = layoutOf(ui);
  const { style } = layout;
  return [
    ...(header === "" ? [] : quoted(header, layout, style.cyan)),
    ...quoted(question, layout, style.bold),
    ...progressLines(asked, layout),
  ];
}

function linesBelow(
  ui: TerminalUi,
  question: Question,
  { at }: Asked<string>,
  error?: string,
): string[] {
  const layout = layoutOf(ui);
  const ways = waysToPick(question.multiSelect);
  const back = at > 0 ? " · Shift+Tab question before" : "";
  return [
    ...(error === undefined ? [] : quoted(error, layout, layout.style.red)),
    ...hint(`${ways}${back} · Esc other ways`, layout),
  ];
}
