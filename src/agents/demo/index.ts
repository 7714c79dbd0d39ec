import type { AgentRuntime, CallEnd, ToolDefinition, Turn, TurnEnd } from "../../core/index.ts";
import { type DemoCommand, parseCommand, type ToolUse } from "./commands.ts";
import { tour } from "./tour.ts";

/**
 * Shows every kind of prompt without a model or a network, and lets tests drive a turn.
 *
 * Contract: what it does depends on the message and the results of its calls alone, so that a turn
 * that is entered again does the same things in the same order.
 */
export const demoAgent: AgentRuntime = {
  id: "demo",
  name: "Demo",
  description: "Needs no model. Write /tour to see every kind of prompt.",
  capabilities: { reenter: "replay", steer: false },
  run: runTurn,
};

const completed = (): TurnEnd => ({ status: "completed" });

function runTurn(turn: Turn): Promise<TurnEnd> {
  const { words } = turn.message;
  const done =
    turn.trigger === "late_answer"
      ? say(turn, ["Thank you, ", "your answer has arrived:\n\n", quote(words)])
      : obey(turn, parseCommand(words));
  return done.then(completed);
}

function obey(turn: Turn, command: DemoCommand): Promise<void> {
  switch (command.kind) {
    case "say":
      return say(turn, [
        `${writerOf(turn)} wrote:\n\n`,
        quote(turn.message.words),
        "\n\nWrite /help ",
        "for more.",
      ]);
    case "help":
      return turn.text(help(turn.tools));
    case "tour":
      return tour(turn);
    case "malformed":
      return turn.text(command.problem);
    case "call":
      return callOne(turn, command.use);
    case "parallel":
      return callAll(turn, command.uses);
  }
}

/** It keeps no more than the tool's name while the call waits for people. */
function callOne(turn: Turn, { tool, input }: ToolUse): Promise<void> {
  return turn.call(tool, input).then((end) => turn.text(report(tool, end)));
}

async function callAll(turn: Turn, uses: ToolUse[]): Promise<void> {
  const calls = uses.map(async ({ tool, input }) => ({ tool, end: await turn.call(tool, input) }));
  for (const { tool, end } of await Promise.all(calls)) await turn.text(report(tool, end));
}

function writerOf({ message: { sender } }: Turn): string {
  return sender?.kind === "machine" ? `The program ${sender.name ?? sender.id}` : "You";
}

async function say(turn: Turn, pieces: string[]): Promise<void> {
  const block = turn.startText();
  for (const piece of pieces) block.write(piece);
  await block.end();
}

/** How a call ends without its work done where nothing went wrong. */
const NO_FAULTS: ReadonlySet<string> = new Set([
  "tool_cancelled",
  "interaction_timeout",
  "interaction_cancelled",
  "interaction_unavailable",
]);

function report(tool: string, end: CallEnd): string {
  if (end.ok) return `${tool} returned:\n\n${codeBlock(end.result)}`;
  const { code, message } = end.error;
  if (code === "tool_denied") return `${tool} was denied:\n\n${quote(message)}`;
  if (NO_FAULTS.has(code)) return `${tool} did not go on. ${message}`;
  return `${tool} failed (${code}): ${message}\n\n${codeBlock(end.error)}`;
}

function help(tools: ToolDefinition[]): string {
  return [
    "I am the demo agent. I need no model, and show how agents ask and people answer:",
    "- `/tour` walks you through every kind of prompt",
    "- `/call TOOL {json}` calls one tool and tells you its result",
    "- `/parallel TOOL {json} | TOOL {json}` calls several at once",
    "- anything else gets a short reply",
    "",
    "The tools:",
    ...tools.map((tool) => `- \`${tool.name}\`: ${tool.description}`),
    "",
    'Try: `/call ask_user {"question": "Which colour?", "options": ["red", "blue"]}`',
  ].join("\n");
}

function quote(text: string): string {
  const characters = Array.from(text);
  const short = characters.length > 300 ? `${characters.slice(0, 300).join("")}…` : text;
  return short.replaceAll(/^/gm, "> ");
}

/** The fence is longer than any row of backticks inside, so that the value cannot end it. */
function codeBlock(value: unknown): string {
  const json = JSON.stringify(value) ?? "nothing";
  const longest = Math.max(2, ...Array.from(json.matchAll(/`+/g), ([row]) => row.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}json\n${json}\n${fence}`;
}
