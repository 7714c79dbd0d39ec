import type { Who } from "./api.ts";
import { shownIn } from "./anchored.ts";
import { callsKey, type Env } from "./env.ts";
import { isOpen } from "./interaction.ts";
import { type Asker, matchCommand } from "./match-command.ts";
import type { CallRow, SessionRow } from "./ports.ts";

/*
 * A program that an agent's shell runs asks. If it can name the shell's call, its prompt belongs
 * there. If it cannot, the calls that run in the session are compared with its words; and because a
 * runtime may tell of a call a little later than the call begins, the one that is named, or one that
 * fits, is waited for, as long as one can still come. When in doubt it stands alone.
 */

/** How long a program that asks waits for its call to be told of. */
const WAIT_MS = 1_000;
/** How long a call stands alone before it is taken for the only one of its kind. */
const SETTLE_MS = 250;

/** What a program says of itself. Only a hint: nothing in it is an error. */
export interface CallerHint {
  /** The call that runs it, as its environment has it. */
  toolCallId?: string;
  /** Its command line. */
  command?: string;
}

interface Given {
  hint: CallerHint | undefined;
  /** Where a program may be found by its words. */
  asker?: Asker | undefined;
  /** What people will read, where that is known. */
  prompt?: string;
}

/** The running call in whose place somebody asks, if it is known. */
export async function findPlace(
  env: Env,
  who: Who,
  session: SessionRow,
  given: Given,
): Promise<string | undefined> {
  const named = await findNamed(env, session, given.hint);
  if (typeof named === "string") return named;
  // Only what runs in a turn has the turn's own credential: words of anybody else prove nothing.
  const isOfTurn = who.kind === "machine" && who.sessionId === session.id;
  if (!given.asker || !isOfTurn || session.activeRunId === null) return undefined;
  return meet(env, session, { ...given, asker: given.asker });
}

/** Where the call that a program names is shown; or whether it is one that has yet to be told of. */
async function findNamed(
  env: Env,
  session: SessionRow,
  hint: CallerHint | undefined,
): Promise<string | { mayCome: boolean }> {
  const id = hint?.toolCallId;
  const call = id === undefined ? null : await env.store.call(session.id, id);
  if (call?.status === "running") return shownIn(call);
  return { mayCome: id !== undefined && !call };
}

type Look = { place: string | undefined } | { waitMs: number };

async function meet(
  env: Env,
  session: SessionRow,
  given: Given & { asker: Asker },
): Promise<string | undefined> {
  const until = env.clock.now() + WAIT_MS;
  for (let known: SessionRow | null = session; ; known = await env.store.session(session.id)) {
    const news = listen(env, session.id);
    try {
      const named = await findNamed(env, session, given.hint);
      if (typeof named === "string") return named;
      const leftMs = until - env.clock.now();
      const found = await look(env, known, { ...given, leftMs, isNamed: named.mayCome });
      if ("place" in found) return found.place;
      await Promise.race([news.heard, news.after(found.waitMs)]);
    } finally {
      news.stop();
    }
  }
}

/** Hears of calls that begin in a session, and of the end of its turn. */
function listen(env: Env, sessionId: string) {
  let hear = () => {};
  const heard = new Promise<void>((resolve) => (hear = resolve));
  const ends = [env.signals.on(callsKey(sessionId), () => hear())];
  return {
    heard,
    after: (ms: number) =>
      new Promise<void>((resolve) => void ends.push(env.clock.timer(ms, resolve))),
    stop() {
      for (const end of ends) end();
    },
  };
}

async function look(
  env: Env,
  session: SessionRow | null,
  given: { asker: Asker; prompt?: string; leftMs: number; isNamed: boolean },
): Promise<Look> {
  const { asker, prompt, leftMs, isNamed } = given;
  const calls = session ? await runningCalls(env, session) : undefined;
  if (!session || !calls) return { place: undefined };
  const mayCome = env.agents.get(session.agent)?.capabilities.nativeCalls === true;
  const waitMs = mayCome ? leftMs : 0;
  // A name says more than any words.
  if (isNamed && waitMs > 0) return { waitMs };
  const asTheyRun = calls.map(({ id, input, effectiveInput }) => ({
    id,
    input: effectiveInput ?? input,
  }));
  const match = matchCommand(asker, asTheyRun);
  if (match === "tie") return { place: undefined };
  const call = match === "none" ? undefined : calls.find(({ id }) => id === match.id);
  const sure = match !== "none" && match.sure;
  if (!call || !(await isFree(env, call, { sure, prompt }))) {
    return waitMs > 0 ? { waitMs } : { place: undefined };
  }
  const youngMs = sure ? call.createdAt + SETTLE_MS - env.clock.now() : waitMs;
  const settlesMs = Math.min(youngMs, waitMs);
  return settlesMs > 0 ? { waitMs: settlesMs } : { place: call.id };
}

/** The calls that run in the session's turn, and wait for nobody; nothing if it has no turn. */
async function runningCalls(env: Env, session: SessionRow): Promise<CallRow[] | undefined> {
  const { activeRunId } = session;
  if (activeRunId === null) return undefined;
  const held = env.live.get(activeRunId);
  if (held) {
    const calls = [...held.calls.values()];
    return calls.filter((call) => !call.ending && call.waiting === 0).map((call) => call.row);
  }
  const rows = (await env.store.calls(activeRunId)).filter(({ status }) => status === "running");
  const prompts = await Promise.all(
    rows.map(({ sessionId, id }) => env.store.interactionsOfCall(sessionId, id)),
  );
  return rows.filter(
    (_row, index) => !prompts[index]?.some((one) => isOpen(one) && one.runId === activeRunId),
  );
}

/** One program asks one thing at a time: the same asked again is likely to be another's. */
async function isFree(
  env: Env,
  call: CallRow,
  { sure, prompt }: { sure: boolean; prompt?: string | undefined },
): Promise<boolean> {
  const rows = await env.store.interactionsOfCall(call.sessionId, call.id);
  const others = rows.filter((row) => isOpen(row) && row.runId !== call.runId);
  return others.every((row) => sure && row.request.prompt !== prompt);
}
