import { fieldsOf, type PromptRequest } from "../../protocol/index.ts";
import { type Asker, commandAsker, wordsOf } from "./match-command.ts";

/*
 * What can be known of a program by what it asks: its command line, if it tells that; else the
 * address that it must have called, and what it says there.
 */

export function askerOfPrompt(command: string | undefined, prompt: PromptRequest): Asker {
  if (command?.trim()) return commandAsker(command);
  return { address: ["api", "interactions"], words: textsOf(prompt).flatMap(wordsOf) };
}

/** @param names of the plugin and of its operation */
export function askerOfOperation(
  command: string | undefined,
  names: string[],
  input: unknown,
): Asker {
  if (command?.trim()) return commandAsker(command, ["call", ...names]);
  return { address: names, words: stringsIn(input).flatMap(wordsOf) };
}

function textsOf({ prompt, questions = [], inputSchema }: PromptRequest): string[] {
  const labels = inputSchema ? fieldsOf(inputSchema).map(({ label }) => label) : [];
  return [prompt ?? "", ...questions.map(({ question }) => question), ...labels];
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}
