import { LIMITS } from "../protocol/index.ts";
import type { Env } from "./env.ts";
import { isJournaled, journalWrite, valueOf } from "./journal.ts";
import type { LiveRun } from "./live-run.ts";
import type { LiveCall } from "./live-call.ts";
import { ToolError } from "./tool.ts";

/** Decided once a call, at its first prompt: a restart or a re-prompt never asks again who is there. */
export async function checkAvailable(env: Env, run: LiveRun, call: LiveCall): Promise<void> {
  call.available ??= isAvailable(env, run, call);
  if (await call.available) return;
  throw new ToolError(
    "interaction_unavailable",
    "Nobody is there to answer: no client with interactive mode on is connected.",
  );
}

async function isAvailable(env: Env, run: LiveRun, call: LiveCall): Promise<boolean> {
  const before = call.journal.get("available");
  if (before) return valueOf(before) === true;
  const value = await env.presence.somebodyIsThere();
  if (isJournaled(call)) run.ride(journalWrite(run, call, "available", "value", { value }));
  return value;
}

/** `others`: prompts of other sessions on their way to the store. `replaced`: what this one closes. */
export async function checkRoom(
  env: Env,
  sessionId: string,
  { others, replaced }: { others: number; replaced: number },
): Promise<void> {
  const here = (await env.store.openCount(sessionId)) - replaced;
  const everywhere = (await env.store.openCount()) - replaced + others;
  if (here < LIMITS.openPromptsPerSession && everywhere < LIMITS.openPromptsPerServer) return;
  throw new ToolError("too_many", "Too many prompts are open. Wait until some are answered.");
}
