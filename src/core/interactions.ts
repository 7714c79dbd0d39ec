import type { InteractionRecord } from "../protocol/index.ts";
import type { Who } from "./api.ts";
import { type Env, interactionKey } from "./env.ts";
import { isOpen } from "./interaction.ts";
import type { InteractionRow } from "./ports.ts";
import { readList } from "./read-list.ts";
import { toInteractionRecord } from "./records.ts";
import { interactionNotFound } from "./responses.ts";
import { isAskState } from "./run-writes.ts";
import { findSession, mayRead, readableBy } from "./sessions.ts";
import { waitFor } from "./signals.ts";

/** One interaction with all of its tool's input; with `wait`, when it is no longer open. */
export async function findInteraction(
  env: Env,
  who: Who,
  id: string,
  wait?: { waitMs: number; signal?: AbortSignal },
): Promise<InteractionRecord> {
  let row = await readable(env, who, id);
  if (wait && isOpen(row)) row = (await ended(env, row, wait)) ?? (await readable(env, who, id));
  return withInput(env, row);
}

export async function listInteractions(
  env: Env,
  who: Who,
  query: { sessionId?: string; cursor?: string; limit: number },
): Promise<{ interactions: InteractionRecord[]; next?: string }> {
  if (query.sessionId !== undefined) await findSession(env, who, query.sessionId);
  const wanted = { ...query, ...readableBy(who) };
  const page = await readList(env, who, wanted, (one) => env.store.openInteractions(one));
  return {
    interactions: page.rows.map(toInteractionRecord),
    ...(page.next ? { next: page.next } : {}),
  };
}

async function readable(env: Env, who: Who, id: string): Promise<InteractionRow> {
  const row = await env.store.interaction(id);
  const session = row ? await env.store.session(row.sessionId) : null;
  if (!row || !session || session.deletedAt !== null || !mayRead(who, session)) {
    throw interactionNotFound();
  }
  return row;
}

async function ended(
  env: Env,
  row: InteractionRow,
  wait: { waitMs: number; signal?: AbortSignal },
): Promise<InteractionRow | undefined> {
  const patience = new AbortController();
  const giveUp = () => patience.abort();
  const stop = env.clock.timer(wait.waitMs, giveUp);
  wait.signal?.addEventListener("abort", giveUp, { once: true });
  const look = async () => {
    const now = await env.store.interaction(row.id);
    return now && !isOpen(now) ? now : undefined;
  };
  try {
    return await waitFor(env.signals, interactionKey(row.id), look, patience.signal);
  } finally {
    stop();
    wait.signal?.removeEventListener("abort", giveUp);
  }
}

async function withInput(env: Env, row: InteractionRow): Promise<InteractionRecord> {
  const record = toInteractionRecord(row);
  if (row.request.toolInputBytes === undefined) return record;
  const toolInput = await inputOf(env, row);
  return { ...record, request: { ...record.request, toolInput } };
}

/** What is to be approved, which is not the input of the call in whose place a program asked. */
async function inputOf(env: Env, row: InteractionRow): Promise<unknown> {
  const run = row.request.anchored ? await env.store.run(row.runId) : null;
  if (run && isAskState(run.state) && run.state.toolInput !== undefined) return run.state.toolInput;
  const [own] = run ? await env.store.calls(run.id) : [];
  const call = own ?? (await env.store.call(row.sessionId, row.callId));
  return call?.effectiveInput ?? call?.input;
}
