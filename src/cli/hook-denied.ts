import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { after } from "./ask/follow.ts";
import { inTerminal, tellDecided, untilDecided } from "./hook-terminal.ts";
import type { Io } from "./io.ts";
import { readAll } from "./read-all.ts";

/*
 * Somebody denied here what may have been allowed in the terminal a moment before: Claude Code runs
 * it then, takes no notice of our hook, and says nothing until it has ended. A hook that is to be
 * heard must end at once, so another process looks what came of it.
 */

interface Denied {
  /** What our hook was given. */
  posted: Record<string, unknown>;
  /** Under which it asked. */
  requestId: string;
  data: string;
  /** What the model reads if it was in time. */
  denial: string;
}

const NAME = "claude-denied";
const BIN = fileURLToPath(new URL("../../bin/beckon.js", import.meta.url));
/** Nobody runs a command in a terminal for longer, and waits for it. */
const DAY_MS = 24 * 60 * 60 * 1_000;
const LOOK_MS = 1_000;

/** Looks what becomes of a denied call. In the usual case that is there within the second. */
export function watchDenied(denied: Denied): void {
  const child = spawn(process.execPath, [BIN, "hook", NAME], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.on("error", () => {});
  child.stdin.on("error", () => {}).end(JSON.stringify(denied));
  child.unref();
}

export function deniedCommand(io: Io): Command {
  return new Command(NAME).action(async () => {
    const { posted, requestId, data, denial } = JSON.parse(await readAll(io)) as Denied;
    const asked = await inTerminal(posted);
    if (asked?.transcript.useId === undefined) return;
    const signal = AbortSignal.any([after(DAY_MS), whenGone(Number(io.env["CLAUDE_PID"]))]);
    const end = await untilDecided(asked, signal);
    const isHeard =
      !end.ok && (end.error.code === "tool_denied" || end.error.message.includes(denial));
    if (!isHeard) await tellDecided(io, asked, end, { agent: "claude", data, requestId, signal });
  });
}

/** Aborts when the Claude Code is gone that ran our hook. One that is too old does not name itself. */
function whenGone(pid: number): AbortSignal {
  const gone = new AbortController();
  const look = setInterval(() => {
    try {
      process.kill(pid, 0);
    } catch {
      gone.abort();
      clearInterval(look);
    }
  }, LOOK_MS);
  look.unref();
  if (!Number.isInteger(pid)) clearInterval(look);
  return gone.signal;
}
