import { shownIn } from "../call/anchored.ts";
import { isOpen } from "../interaction.ts";
import { type Asker, matchCommand } from "./match-command.ts";
import type { CallRow, SessionRow, Who } from "../ports.ts";
import { callsKey, type Signals } from "../live/signals.ts";
import type { CorePorts, CallerHint } from "../api.ts";
import type { HeldRuns } from "../run/live-run.ts";

export interface RendezvousPorts extends HeldRuns, Pick<CorePorts, "agents" | "clock" | "store"> {
  signals: Signals;
}

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

interface Given {
  hint: CallerHint | undefined;
  /** Where a program may be found by its words. */
  asker?: (() => Asker) | undefined;
  /** What people will read, where that is known. */
  prompt?: string;
}

/** The running call in whose place somebody asks, if it is known. */
export async function findAnchor(
  ports: RendezvousPorts,
  who: Who,
  session: SessionRow,
  given: Given,
): Promise<string | undefined> {
  const named = await findNamed(ports, session, given.hint);
  if (typeof named === "string") return named;
  // Only what runs in a turn has the turn's own credential: words of anybody else prove nothing.
  const isOfTurn = who.kind === "machine" && who.sessionId === session.id;
  if (!given.asker || !isOfTurn || session.activeRunId === null) return undefined;
  return meet(ports, session, { ...given, asker: given.asker() });
}

/** Where the call that a program names is shown; or whether it is one that has yet to be told of. */
async function findNamed(
  ports: RendezvousPorts,
  session: SessionRow,
  hint: CallerHint | undefined,
): Promise<string | { mayCome: boolean }> {
  const id = hint?.toolCallId;
  const call = id === undefined ? null : await ports.store.call(session.id, id);
  if (call?.status === "running") return shownIn(call);
  return { mayCome: id !== undefined && !call };
}

type Look = { anchor: string | undefined } | { waitMs: number };

async function meet(
  ports: RendezvousPorts,
  session: SessionRow,
  given: Omit<Given, "asker"> & { asker: Asker },
): Promise<string | undefined> {
  const until = ports.clock.now() + WAIT_MS;
  for (let known: SessionRow | null = session; ; known = await ports.store.session(session.id)) {
    const news = listen(ports, session.id);
    try {
      const named = await findNamed(ports, session, given.hint);
      if (typeof named === "string") return named;
      const leftMs = until - ports.clock.now();
      const found = await look(ports, known, { ...given, leftMs, isNamed: named.mayCome });
      if ("anchor" in found) return found.anchor;
      await Promise.race([news.heard, news.after(found.waitMs)]);
    } finally {
      news.stop();
    }
  }
}

/** Hears of calls that begin in a session, and of the end of its turn. */
function listen(ports: RendezvousPorts, sessionId: string) {
  let hear = () => {};
  const heard = new Promise<void>((resolve) => (hear = resolve));
  const ends = [ports.signals.on(callsKey(sessionId), () => hear())];
  return {
    heard,
    after: (ms: number) =>
      new Promise<void>((resolve) => void ends.push(ports.clock.timer(ms, resolve))),
    stop() {
      for (const end of ends) end();
    },
  };
}

async function look(
  ports: RendezvousPorts,
  session: SessionRow | null,
  given: { asker: Asker; prompt?: string; leftMs: number; isNamed: boolean },
): Promise<Look> {
  const { asker, prompt, leftMs, isNamed } = given;
  const calls = session ? await runningCalls(ports, session) : undefined;
  if (!session || !calls) return { anchor: undefined };
  const mayCome = ports.agents.get(session.agent)?.capabilities.nativeCalls === true;
  const waitMs = mayCome ? leftMs : 0;
  // A name says more than any words.
  if (isNamed && waitMs > 0) return { waitMs };
  const asTheyRun = calls.map(({ id, input, effectiveInput }) => ({
    id,
    input: effectiveInput ?? input,
  }));
  const match = matchCommand(asker, asTheyRun);
  if (match === "tie") return { anchor: undefined };
  const call = match === "none" ? undefined : calls.find(({ id }) => id === match.id);
  const sure = match !== "none" && match.sure;
  if (!call || !(await isFree(ports, call, { sure, prompt }))) {
    return waitMs > 0 ? { waitMs } : { anchor: undefined };
  }
  const youngMs = sure ? call.createdAt + SETTLE_MS - ports.clock.now() : waitMs;
  const settlesMs = Math.min(youngMs, waitMs);
  return settlesMs > 0 ? { waitMs: settlesMs } : { anchor: call.id };
}

/** The calls that run in the session's turn, and wait for nobody; nothing if it has no turn. */
async function runningCalls(
  ports: RendezvousPorts,
  session: SessionRow,
): Promise<CallRow[] | undefined> {
  const { activeRunId } = session;
  if (activeRunId === null) return undefined;
  const held = ports.live.get(activeRunId);
  if (held) {
    const calls = [...held.calls.values()];
    return calls
      .filter((call) => !call.ending && call.activity.waiting === 0)
      .map((call) => call.row);
  }
  const rows = (await ports.store.calls(activeRunId)).filter(({ status }) => status === "running");
  const prompts = await Promise.all(
    rows.map(({ sessionId, id }) => ports.store.interactionsOfCall(sessionId, id)),
  );
  return rows.filter(
    (_row, index) => !prompts[index]?.some((one) => isOpen(one) && one.runId === activeRunId),
  );
}

/** One program asks one thing at a time: the same asked again is likely to be another's. */
async function isFree(
  ports: RendezvousPorts,
  call: CallRow,
  { sure, prompt }: { sure: boolean; prompt?: string | undefined },
): Promise<boolean> {
  const rows = await ports.store.interactionsOfCall(call.sessionId, call.id);
  const others = rows.filter((row) => isOpen(row) && row.runId !== call.runId);
  return others.every((row) => sure && row.request.prompt !== prompt);
}
