import { parseJson, ProtocolError } from "../../protocol/index.ts";

export interface ToolUse {
  tool: string;
  input: unknown;
}

/** What a message asks of the demo agent. */
export type DemoCommand =
  | { kind: "say" }
  | { kind: "help" }
  | { kind: "tour" }
  | { kind: "call"; use: ToolUse }
  | { kind: "parallel"; uses: ToolUse[] }
  | { kind: "malformed"; problem: string };

const EXAMPLE = '/call ask_user {"question": "Which colour?"}';

class Malformed extends Error {}

export function parseCommand(text: string): DemoCommand {
  const command = text.trimStart();
  if (!command.startsWith("/")) return { kind: "say" };
  const word = /[^\s/]*/.exec(command.slice(1))?.[0] ?? "";
  const rest = command.slice(1 + word.length).trimStart();
  try {
    switch (word) {
      case "help":
        return { kind: "help" };
      case "tour":
        return { kind: "tour" };
      case "call":
        return { kind: "call", use: parseUse(rest) };
      case "parallel":
        return { kind: "parallel", uses: splitUses(rest).map(parseUse) };
      default:
        throw new Malformed(`I do not know /${word}. Write /help to see what I can show.`);
    }
  } catch (error) {
    if (error instanceof Malformed) return { kind: "malformed", problem: error.message };
    throw error;
  }
}

/** Cuts at every `|` that stands outside a JSON string; inside one it is part of the text. */
export function splitUses(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') inString = !inString;
    else if (inString && character === "\\") at++;
    else if (!inString && character === "|") {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

function parseUse(text: string): ToolUse {
  const [, tool, json = ""] = /^([^\s{]+)\s*([\s\S]*)$/.exec(text.trim()) ?? [];
  if (tool === undefined) {
    throw new Malformed(`A tool's name is missing. For example: ${EXAMPLE}`);
  }
  return { tool, input: json === "" ? {} : parseInput(tool, json) };
}

function parseInput(tool: string, json: string): unknown {
  try {
    JSON.parse(json);
    return parseJson(json);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof ProtocolError) {
      throw new Malformed(
        `The arguments of ${tool} are not JSON that I can read: ${error.message}\nFor example: ${EXAMPLE}`,
        { cause: error },
      );
    }
    throw error;
  }
}
