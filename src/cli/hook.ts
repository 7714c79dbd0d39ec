import { Command } from "commander";
import { askServer, NotAsked } from "./ask-server.ts";
import { timeoutOption } from "./duration.ts";
import { CommandFailure, EXIT } from "./failure.ts";
import type { Io } from "./io.ts";
import { dataOption } from "./options.ts";

interface Options {
  data: string;
  timeout?: number;
}

export function hookCommand(io: Io): Command {
  return new Command("hook")
    .description("answer hooks of agents that run by themselves")
    .addCommand(
      new Command("claude")
        .description("answer a hook of Claude Code: its JSON on stdin, the reply on stdout")
        .addOption(timeoutOption())
        .addOption(dataOption(io.env))
        .action((options: Options) => answer(io, options)),
    );
}

async function answer(io: Io, { data, timeout: timeoutMs }: Options): Promise<void> {
  const body = await readAll(io);
  const event = eventOf(body);
  try {
    const reply = await askServer(io, { agent: "claude", body, data, timeoutMs });
    if (event === "PreToolUse" && !decides(reply)) throw new NotAsked("The reply decides nothing.");
    io.out(JSON.stringify(reply));
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error);
    // Claude Code goes on when a hook fails. Here it must not; where it would ask by itself, it may.
    if (event === "PreToolUse") io.out(JSON.stringify(denied(sentence)));
    else throw new CommandFailure(sentence, EXIT.failure, { cause: error });
  }
}

function decides(reply: object): boolean {
  const { hookSpecificOutput } = reply as {
    hookSpecificOutput?: { permissionDecision?: unknown };
  };
  return typeof hookSpecificOutput?.permissionDecision === "string";
}

async function readAll(io: Io): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of io.stdin?.() ?? []) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

function eventOf(body: string): unknown {
  try {
    return (JSON.parse(body) as { hook_event_name?: unknown } | null)?.hook_event_name;
  } catch {
    throw new CommandFailure("What came on stdin is not JSON. This command is run by Claude Code.");
  }
}

function denied(sentence: string): object {
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: `Nobody could be asked, so this did not run. ${sentence}`,
    },
  };
}
