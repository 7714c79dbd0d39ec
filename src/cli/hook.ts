import { randomUUID } from "node:crypto";
import { Command } from "commander";
import { askServer, type HookQuestion, NotAsked } from "./ask-server.ts";
import { timeoutOption } from "./duration.ts";
import { CommandFailure, EXIT } from "./failure.ts";
import { deniedCommand, watchDenied } from "./hook-denied.ts";
import { inTerminal, tellDecided, untilDecided } from "./hook-terminal.ts";
import type { Io } from "./io.ts";
import { dataOption } from "./options.ts";
import { readAll } from "./read-all.ts";

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
    )
    .addCommand(deniedCommand(io), { hidden: true });
}

async function answer(io: Io, { data, timeout: timeoutMs }: Options): Promise<void> {
  const given = parse(await readAll(io));
  const event = given["hook_event_name"];
  try {
    const reply = await ask(io, given, { agent: "claude", data, timeoutMs });
    if (event === "PreToolUse" && !decides(reply)) throw new NotAsked("The reply decides nothing.");
    io.out(JSON.stringify(reply));
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error);
    // Claude Code goes on when a hook fails. Here it must not; where it would ask by itself, it may.
    if (event === "PreToolUse") io.out(JSON.stringify(denied(sentence)));
    else throw new CommandFailure(sentence, EXIT.failure, { cause: error });
  }
}

/**
 * Asks people here, and hears when somebody has decided in the terminal meanwhile. After a no there
 * Claude Code ends its hooks, with SIGTERM and a second to go.
 */
async function ask(
  io: Io,
  given: Record<string, unknown>,
  about: Omit<HookQuestion, "body" | "requestId" | "signal">,
): Promise<object> {
  const question = { ...about, requestId: randomUUID() };
  const asked = await inTerminal(given);
  if (!asked) return askServer(io, { ...question, body: JSON.stringify(given) });
  const { posted } = asked;
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, laterThan(io.stopSignal(EXIT.interrupted))]);
  untilDecided(asked, signal)
    .then((end) => tellDecided(io, asked, end, { ...question, signal }))
    // What is asked here says what is wrong with the server.
    .catch(() => {});
  const reply = await askServer(io, { ...question, signal, body: JSON.stringify(posted) }).finally(
    () => over.abort(),
  );
  const denial = denialIn(reply);
  const { requestId, data } = question;
  if (denial !== undefined) watchDenied({ posted, requestId, data, denial });
  return reply;
}

const LEAVE_MS = 800;

/** Aborts a moment after the other does. */
function laterThan(stop: AbortSignal): AbortSignal {
  const later = new AbortController();
  stop.addEventListener("abort", () => setTimeout(() => later.abort(), LEAVE_MS), { once: true });
  return later.signal;
}

/** Why a person said no. */
function denialIn(reply: object): string | undefined {
  const { hookSpecificOutput } = reply as {
    hookSpecificOutput?: { decision?: { behavior?: unknown; message?: unknown } };
  };
  const { behavior, message } = hookSpecificOutput?.decision ?? {};
  return behavior === "deny" ? String(message) : undefined;
}

function decides(reply: object): boolean {
  const { hookSpecificOutput } = reply as {
    hookSpecificOutput?: { permissionDecision?: unknown };
  };
  return typeof hookSpecificOutput?.permissionDecision === "string";
}

function parse(body: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(body)) as Record<string, unknown>;
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
