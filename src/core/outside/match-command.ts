import { shellWords } from "./shell-words.ts";

/*
 * Which running command is it that asks? A process does not know the tool call that started it, but
 * the call's command line is stored, and the process knows its own. Decided from words alone.
 */

/** What is known of the one who asks. */
export interface Asker {
  /** Its command line: these shell words stand in one simple command, in this order. */
  command?: string[];
  /** Else the address that it called: these parts stand in the text, in this order. */
  address?: string[];
  /** What else it said. The more of it a command holds, the likelier it is the one. */
  words: string[];
}

interface Candidate {
  id: string;
  input: unknown;
}

/** `sure`: the command holds every word of the one who asks. */
export type Match = { id: string; sure: boolean } | "none" | "tie";

/** The one candidate that fits best. Of two that fit equally neither is: a wrong one is worse than none. */
export function matchCommand(asker: Asker, candidates: Candidate[]): Match {
  const words = new Set(asker.words.map((word) => word.toLowerCase()));
  const fitting = candidates.flatMap(({ id, input }) => {
    const text = commandLine(input);
    if (text === undefined || !isOf(asker, text)) return [];
    const said = new Set(wordsOf(text));
    return [{ id, score: [...words].filter((word) => said.has(word)).length }];
  });
  const [best, next] = fitting.sort((a, b) => b.score - a.score);
  if (!best) return "none";
  if (next?.score === best.score) return "tie";
  return { id: best.id, sure: best.score === words.size };
}

/** How much of a text is looked at. */
const CHARACTERS = 20_000;

/** The words of a text, in small letters: what stands between spaces, quotes and signs. */
export function wordsOf(text: string): string[] {
  const words = text
    .slice(0, CHARACTERS)
    .toLowerCase()
    .match(/[\p{L}\p{N}_][\p{L}\p{N}_-]*/gu);
  return words ?? [];
}

/** Who asks with the command line `text`: its program, and what that is told to do. */
export function commandAsker(text: string, named?: string[]): Asker {
  const [program = "", ...rest] = shellWords(text.slice(0, CHARACTERS));
  const verb = rest.find((word) => !word.startsWith("-"));
  const command = [baseName(program), ...(named ?? (verb === undefined ? [] : [verb]))];
  return { command, words: wordsOf(text) };
}

/** What a shell's tools call the line that they run. Not every text: a file may hold the same words. */
const LINES = new Set(["command", "cmd", "script", "argv"]);

/** The command line in a call's input, at its top or one level below. */
function commandLine(input: unknown): string | undefined {
  const lines = [input, ...valuesOf(input)].flatMap((part) =>
    entriesOf(part).flatMap(([name, value]) => (LINES.has(name) ? asLine(value) : [])),
  );
  return lines.length === 0 ? undefined : lines.join("\n").slice(0, CHARACTERS);
}

function entriesOf(value: unknown): [string, unknown][] {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? Object.entries(value) : [];
}

const valuesOf = (value: unknown) => entriesOf(value).map(([, part]) => part);

function asLine(value: unknown): string[] {
  if (typeof value === "string") return [value];
  const isArguments = Array.isArray(value) && value.every((part) => typeof part === "string");
  return isArguments ? [value.join(" ")] : [];
}

function isOf({ command, address }: Asker, text: string): boolean {
  if (!command) return inOrder((address ?? []).flatMap(wordsOf), wordsOf(text));
  const [program = "", ...rest] = command;
  return text.split(/[;&|\n]/).some((part) => {
    const words = shellWords(part);
    const at = words.findIndex((word) => baseName(word) === program);
    return at >= 0 && inOrder(rest, words.slice(at + 1));
  });
}

function inOrder(wanted: string[], words: string[]): boolean {
  let from = 0;
  return wanted.every((word) => {
    const at = words.indexOf(word, from);
    from = at + 1;
    return at >= 0;
  });
}

const baseName = (word: string) => word.slice(word.lastIndexOf("/") + 1);
