import type { AgentRuntime, CallEnd, ToolDefinition, Turn, TurnEnd } from "../core/index.ts";
import { type DemoCommand, parseCommand, type ToolUse } from "./demo-commands.ts";
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

async function runTurn(turn: Turn): Promise<TurnEnd> {
  if (turn.trigger === "late_answer") {
    await say(turn, ["Thank you, ", "your answer has arrived:\n\n", quote(turn.message.words)]);
  } else {
    await obey(turn, parseCommand(turn.message.words));
  }
  return { status: "completed" };
}

async function obey(turn: Turn, command: DemoCommand): Promise<void> {
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
      return turn.text(report(command.use, await turn.call(command.use.tool, command.use.input)));
    case "parallel": {
      const calls = command.uses.map(async (use) => ({
        use,
        end: await turn.call(use.tool, use.input),
      }));
      for (const { use, end } of await Promise.all(calls)) await turn.text(report(use, end));
    }
  }
}

function writerOf({ message: { sender } }: Turn): string {
  return sender?.kind === "machine" ? `The program ${sender.name ?? sender.id}` : "You";
}

async function say(turn: Turn, pieces: string[]): Promise<void> {
  const block = turn.startText();
  for (const piece of pieces) block.write(piece);
  await block.end();
}

function report(use: ToolUse, end: CallEnd): string {
  if (end.ok) return `${use.tool} returned:\n\n${codeBlock(end.result)}`;
  return `${use.tool} failed (${end.error.code}): ${end.error.message}\n\n${codeBlock(end.error)}`;
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
