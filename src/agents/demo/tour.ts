import type { CallEnd, Turn } from "../../core/index.ts";
import type { ToolUse } from "./commands.ts";

/** One stop: what is said before, and what is called; several uses are called at once. */
interface TourStop {
  say: string;
  uses: ToolUse[];
}

const question = (header: string, text: string, labels: string[], multiSelect = false) => ({
  header,
  question: text,
  options: labels.map((label) => ({ label })),
  multiSelect,
});

const TOUR: TourStop[] = [
  {
    say:
      "### 1. An approval\nA tool may run only if you let it. *Once* is for this call, *session* for " +
      "the same call in this conversation, *always* until you take it back. Deny works too.",
    uses: [{ tool: "tour_delete", input: { file: "notes-draft.txt" } }],
  },
  {
    say:
      "### 2. A command\nYou see the whole command before it runs, and may change it. What you " +
      "approve is what runs.",
    uses: [{ tool: "bash", input: { command: 'echo "Hello from $(uname -s)"' } }],
  },
  {
    say: "### 3. A question\nNot a permission: an agent wants to know something.",
    uses: [
      {
        tool: "ask_user",
        input: {
          question: "Which colour should the door be?",
          inputType: "radio",
          options: ["Red", "Blue", "Green"],
        },
      },
    ],
  },
  {
    say: "### 4. Several questions\nPick one, pick some, or write something else.",
    uses: [
      {
        tool: "ask_questions",
        input: {
          questions: [
            question("Database", "Where should it be stored?", ["SQLite", "PostgreSQL"]),
            question("Extras", "What else do you want?", ["Tests", "Docs", "A demo"], true),
          ],
        },
      },
    ],
  },
  {
    say:
      "### 5. A form\nEvery kind of field. Send it as it is: the tool will not like the name, and ask " +
      "again with what you typed.",
    uses: [{ tool: "tour_form", input: {} }],
  },
  {
    say:
      "### 6. A secret\nIt reaches the tool and nothing else: not the log, not the model, not your " +
      "other devices.",
    uses: [{ tool: "tour_secret", input: {} }],
  },
  {
    say: "### 7. Two at once\nAnswer them in any order. Both are in the inbox, too.",
    uses: [
      { tool: "ask_user", input: { question: "What should the project be called?" } },
      { tool: "tour_delete", input: { file: "old-logo.svg" } },
    ],
  },
  {
    say:
      "### 8. A late answer\nThis time, **do not answer for five seconds**. I go on without you, " +
      "and your answer becomes a message when it comes.",
    uses: [
      {
        tool: "tour_late",
        input: { question: "When should we meet next week?", waitSeconds: 5 },
      },
    ],
  },
];

/** Why going on makes no sense: nobody is there, or nobody answered for a long time. */
const NOBODY = new Set(["interaction_unavailable", "interaction_timeout"]);

/**
 * Walks through every kind of prompt. What it does depends only on the results of its calls, so a
 * tour that is entered again goes on where it stopped.
 */
export async function tour(turn: Turn): Promise<void> {
  await turn.thinking(
    "Agents often show how they think. It is folded away, because it is rarely what you came for.",
  );
  await turn.text(
    "Welcome. I will ask you something in every way that an agent can; nothing here does harm. " +
      "You may leave, reload, or answer from another device: what waits keeps waiting.",
  );
  const known = new Set(turn.tools.map(({ name }) => name));
  for (const stop of TOUR) {
    const uses = stop.uses.filter(({ tool }) => known.has(tool));
    if (uses.length === 0) continue;
    await turn.text(stop.say);
    const ends = await Promise.all(uses.map(({ tool, input }) => turn.call(tool, input)));
    if (ends.some((end) => !end.ok && NOBODY.has(end.error.code))) {
      return turn.text("Nobody answered, so I stop here. Write `/tour` to begin again.");
    }
    await turn.text([...new Set(ends.map(remark))].join(" "));
  }
  return turn.text(
    "That was all of it. A question that you have not answered stays open in the inbox. " +
      "Write `/help` for more.",
  );
}

const REFUSED = "You said no, and that is an answer too.";

function remark(end: CallEnd): string {
  if (!end.ok && end.error.code === "tool_denied") return REFUSED;
  if (!end.ok)
    return `It ended with \`${end.error.code}\`: an agent would have to find another way.`;
  const { ok, queued } = (end.result ?? {}) as { ok?: boolean; queued?: boolean };
  if (queued) return "Nobody has answered yet, so I go on.";
  return ok === false ? REFUSED : "Thank you, that is done.";
}
