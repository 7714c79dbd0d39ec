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
  /** The file that it shows; it is compared and not run. */
  isFile?: string;
}

const BLOCK =
  /(?:<!-- test:(?<notes>[^\n]*)-->\n+)?```sh\n(?<script>[\s\S]*?)```\n(?:\n*```text\n(?<prints>[\s\S]*?)```\n)?/g;

/** The examples of a page, in order; CONTRIBUTING says what can stand in a note before one. */
export function examplesIn(markdown: string): PageExample[] {
  return [...markdown.matchAll(BLOCK)].map((match) => {
    const { notes = "", script = "", prints } = match.groups ?? {};
    const line = markdown.slice(0, match.index).split("\n").length;
    const { answers, exitCode, isFile } = readNotes(notes, line);
    return { line, script, answers, exitCode, prints, isFile };
  });
}

type Notes = Pick<PageExample, "answers" | "exitCode" | "isFile">;

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
    else if (word === "is") notes.isFile = rest;
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
