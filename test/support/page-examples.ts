import { type Block, blocksIn } from "../docs/blocks.ts";
import { coverOf, SHELL_RUNNER } from "../docs/check-blocks.ts";

/** One example of a page: a block of shell, what a test does around it, and what it prints. */
export interface PageExample {
  /** Where it stands in the page, to find it again. */
  line: number;
  script: string;
  /** What people answer while it runs, in their order. */
  answers: Record<string, unknown>[];
  exitCode: number;
  /** What it prints on stdout, where the page shows it. `…` stands for anything in a line. */
  prints?: string;
}

/** The blocks of shell of a page that are run as they stand, in order; CONTRIBUTING says how. */
export function examplesIn(markdown: string): PageExample[] {
  const blocks = blocksIn(markdown);
  return blocks.flatMap((block, index) => {
    if (block.language !== "sh" || coverOf(block)?.text !== SHELL_RUNNER) return [];
    const { line, code: script, notes } = block;
    const test = notes.find(({ word }) => word === "test")?.text ?? "";
    const next = blocks[index + 1];
    const isPrinted = next?.language === "text" && isRightAfter(markdown, block, next);
    return [{ line, script, ...readNotes(test, line), prints: isPrinted ? next.code : undefined }];
  });
}

function isRightAfter(markdown: string, block: Block, next: Block): boolean {
  const end = block.line + block.code.split("\n").length;
  const between = markdown.split("\n").slice(end, next.line - 1);
  return between.every((line) => line.trim() === "");
}

type Notes = Pick<PageExample, "answers" | "exitCode">;

function readNotes(text: string, line: number): Notes {
  const notes: Notes = { answers: [], exitCode: 0 };
  for (const note of text.split(";").map((one) => one.trim())) {
    const [, word = "", rest = ""] = /^(\w+):?\s*(.*)$/.exec(note) ?? [];
    if (word === "approve") notes.answers.push({ action: "approve" });
    else if (word === "deny") notes.answers.push({ action: "deny", reason: rest });
    else if (word === "cancel") notes.answers.push({ action: "cancel" });
    else if (word === "answer") notes.answers.push({ action: "submit", input: { answer: rest } });
    else if (word === "input") notes.answers.push({ action: "submit", input: JSON.parse(rest) });
    else if (word === "exits") notes.exitCode = Number(rest);
    else if (note !== "") throw new Error(`Line ${line}: there is no note "${note}".`);
  }
  return notes;
}

/** What a page shows, as something to hold against what was printed. */
export function toPattern(shown: string): RegExp {
  const exact = shown
    .split("…")
    .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  return new RegExp(`^${exact.join(".*")}$`);
}
