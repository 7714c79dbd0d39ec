import { fieldsOf, type PromptRequest, UNNAMED_SESSION } from "../../protocol/index.ts";
import type { SessionRow } from "../ports.ts";

const LONGEST = 60;

/** What a session that nobody has named is called after the first words in it. */
export function titleAfter({ title }: SessionRow, words: string): Pick<SessionRow, "title"> | null {
  const line = words.trim().split(/[\r\n\u2028\u2029]/u, 1)[0] ?? "";
  if (title !== UNNAMED_SESSION || line === "") return null;
  const characters = Array.from(line);
  const isLong = characters.length > LONGEST;
  return { title: isLong ? `${characters.slice(0, LONGEST).join("")}…` : line };
}

type Words = Pick<PromptRequest, "prompt" | "questions" | "inputSchema">;

/** What a prompt asks, as its asker says it; of one without words, which tool asks. */
export function wordsOf(prompt: Words, toolName: string): string {
  const { questions, inputSchema } = prompt;
  const label = inputSchema ? fieldsOf(inputSchema)[0]?.label : undefined;
  return prompt.prompt ?? questions?.[0]?.question ?? inputSchema?.title ?? label ?? toolName;
}
