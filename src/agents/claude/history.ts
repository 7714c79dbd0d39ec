import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { NativeHistory } from "./state.ts";
import type { CallEnd } from "../../core/index.ts";
import type { ContentBlock } from "./sdk.ts";
import { resultOf } from "./terminal-transcript.ts";
import { Transcript } from "./transcript.ts";
import { objectsOf } from "../cli/json-lines.ts";
import { linesOf } from "../cli/lines.ts";
import { Untold } from "./untold.ts";

/*
 * Claude Code keeps each conversation in a file of its own, a line an entry. It may know more than
 * our log: it went on for a moment when the server was killed, or somebody went on with
 * `claude --resume` in a terminal. What is missing is told at the beginning of the next turn. A file
 * that is not there, or cannot be read, has nothing to tell.
 */

type Environment = Readonly<Record<string, string | undefined>>;

const UNKNOWN_END = {
  code: "tool_interrupted",
  message: "Claude Code ended before this call did. It is not known how far it came.",
};

export function createNativeHistory(env: Environment): NativeHistory {
  return {
    async catchUp(turn, { sessionId, history }) {
      if (sessionId === undefined || (history && history.sessionId !== sessionId)) return;
      const path = await findRecord(env, sessionId);
      if (path === undefined) return;
      const untold = new Untold(await turn.told(history?.turnId));
      const transcript = new Transcript(turn, new Map());
      for await (const entry of readEntries(path, history?.at ?? 0)) {
        if (turn.signal.aborted) return;
        await transcript.take(untold.of(entry));
      }
      await transcript.endOpen({ ok: false, error: UNKNOWN_END });
    },
    async endsOf({ sessionId, history }, nativeIds) {
      const ends = new Map<string, CallEnd>();
      const path = sessionId === undefined ? undefined : await findRecord(env, sessionId);
      if (path === undefined) return ends;
      for await (const { message } of readEntries(path, history?.at ?? 0)) {
        const { content } = (message ?? {}) as { content?: unknown };
        for (const block of Array.isArray(content) ? (content as ContentBlock[]) : []) {
          if (block.type !== "tool_result" || !nativeIds.has(block.tool_use_id)) continue;
          ends.set(block.tool_use_id, resultOf(block));
        }
      }
      return ends;
    },
    async mark(turnId, sessionId) {
      const path = await findRecord(env, sessionId);
      const size = path === undefined ? undefined : await sizeOf(path);
      return size === undefined ? undefined : { sessionId, at: size, turnId };
    },
  };
}

/** The folder of a conversation has a name made from that of its working folder; its file a unique one. */
async function findRecord(env: Environment, sessionId: string): Promise<string | undefined> {
  if (!/^[\w-]+$/.test(sessionId)) return undefined;
  const config = env["CLAUDE_CONFIG_DIR"] ?? join(env["HOME"] ?? homedir(), ".claude");
  const projects = join(config, "projects");
  for (const folder of await readdir(projects).catch(() => [])) {
    const path = join(projects, folder, `${sessionId}.jsonl`);
    if ((await sizeOf(path)) !== undefined) return path;
  }
  return undefined;
}

function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ size }) => size,
    () => undefined,
  );
}

async function* readEntries(path: string, start: number): AsyncGenerator<Record<string, unknown>> {
  try {
    yield* objectsOf(linesOf(createReadStream(path, { start })));
  } catch {
    // What could be read was told.
  }
}
