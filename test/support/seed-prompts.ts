import { join } from "node:path";
import { createBeckon } from "../../src/beckon.ts";
import type { Commit, InteractionRow, NewEvent, Store, Write } from "../../src/core/ports.ts";
import type { ChatEvent } from "../../src/protocol/index.ts";
import { openSqliteStore } from "../../src/store/index.ts";
import { systemClock } from "../../src/system.ts";

/** Everything that one waiting turn has in the store. */
interface Waiting {
  writes: Write[];
  events: NewEvent[];
  interaction: InteractionRow;
  /** Made at random, so that nothing else in the rows can look like one of them. */
  ids: string[];
}

export interface Seed {
  dataDir: string;
  plugins?: string[];
  /** What the demo agent is told, so that its turn waits; used in turn. */
  messages: string[];
  count: number;
  /** The deadline of the prompt at `index`. */
  expiresAt(index: number): number;
}

/**
 * Fills a data directory with turns that wait for an answer, each in its own session. One of each
 * kind is asked by the real engine; the rest are copies of its rows under other ids.
 */
export async function seedPrompts(seed: Seed): Promise<void> {
  const asked = await askEach(seed);
  const store = openSqliteStore({ path: join(seed.dataDir, "beckon.db"), clock: systemClock });
  try {
    const kinds = await Promise.all(asked.map((id) => readWaiting(store, id)));
    const commits = Array.from({ length: seed.count }, (_none, index) =>
      copyOf(kinds[index % kinds.length] as Waiting, index, seed.expiresAt(index)),
    );
    await Promise.all(commits.map((commit) => store.commit(commit)));
    // The originals are no part of what was asked for.
    for (const { interaction } of kinds) await remove(store, interaction);
  } finally {
    await store.close();
  }
}

/** Gives the ids of the sessions that wait now. */
async function askEach({ dataDir, plugins = [], messages }: Seed): Promise<string[]> {
  const beckon = await createBeckon({ dataDir, plugins });
  const headers = {
    authorization: `Bearer ${beckon.ownerToken}`,
    "content-type": "application/json",
  };
  const send = async (path: string, body: unknown) => {
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    return (await beckon.fetch(new Request(`http://localhost${path}`, init))).json() as any;
  };
  try {
    // Who is connected in process is there to be asked.
    const person = beckon.connect(beckon.ownerToken);
    person.send(JSON.stringify({ type: "hello", protocolVersion: 1 }));
    const sessions: string[] = [];
    for (const content of messages) {
      const { id: sessionId } = await send("/api/sessions", {});
      const asked = new Promise<void>((resolve) => {
        person.onFrame = (text) => {
          const { event } = JSON.parse(text) as { event?: { type: string } };
          if (event?.type === "interaction_request") resolve();
        };
      });
      person.send(JSON.stringify({ type: "subscribe", sessionId }));
      await send(`/api/sessions/${sessionId}/messages`, { content });
      await asked;
      sessions.push(sessionId);
    }
    return sessions;
  } finally {
    await beckon.close();
  }
}

async function readWaiting(store: Store, sessionId: string): Promise<Waiting> {
  const session = await store.session(sessionId);
  const [run] = await store.activeRuns(sessionId);
  const [interaction] = (await store.openInteractions({ sessionId, limit: 1 })).rows;
  if (!session || run?.status !== "suspended" || !interaction) {
    throw new Error(`The session ${sessionId} does not wait.`);
  }
  const calls = await store.calls(run.id);
  const scopes = [run.id, ...calls.map((call) => `${sessionId}/${call.id}`)];
  const journal = (await Promise.all(scopes.map((scope) => store.journal(scope)))).flat();
  const log = await store.events({ sessionId, limit: 100 });
  const writes: Write[] = [
    { table: "sessions", id: session.id, ifVersion: 0, set: { ...session, lastSeq: 0 } },
    { table: "runs", id: run.id, ifVersion: 0, set: run },
    ...calls.map((set): Write => ({
      table: "tool_calls",
      id: [sessionId, set.id],
      ifVersion: 0,
      set,
    })),
    ...journal.map((set): Write => ({
      table: "journal",
      id: [set.scopeId, set.key],
      ifVersion: 0,
      set,
    })),
    { table: "interactions", id: interaction.id, ifVersion: 0, set: interaction },
  ];
  const ids = [session.id, session.logId, run.id, interaction.id, ...calls.map(({ id }) => id)];
  return {
    writes,
    events: log.map(toNewEvent),
    interaction,
    ids: [...ids, ...log.map(({ id }) => id)],
  };
}

function toNewEvent({ id, type, timestamp, turnId, responseId, payload }: ChatEvent): NewEvent {
  const { toolCallId, interactionId } = payload as { toolCallId?: string; interactionId?: string };
  return {
    id,
    type,
    at: Date.parse(timestamp),
    turnId,
    responseId,
    callId: toolCallId,
    interactionId,
    payload,
  } as NewEvent;
}

function copyOf(waiting: Waiting, index: number, expiresAt: number): Commit {
  const { writes, events } = waiting;
  let text = JSON.stringify({ writes, events });
  for (const id of waiting.ids) text = text.replaceAll(id, `${id}_${index}`);
  const copy = JSON.parse(text) as { writes: Write[]; events: NewEvent[] };
  const told = { expiresAt: new Date(expiresAt).toISOString() };
  for (const write of copy.writes) {
    if (write.table !== "interactions") continue;
    Object.assign(write.set, { expiresAt });
    Object.assign(write.set.request ?? {}, told);
  }
  for (const event of copy.events) {
    if (event.type === "interaction_request") Object.assign(event.payload, told);
  }
  return { ...copy, sessionId: `${waiting.interaction.sessionId}_${index}` };
}

async function remove(store: Store, interaction: InteractionRow): Promise<void> {
  const { id, version, runId, sessionId } = interaction;
  const run = await store.run(runId);
  const session = await store.session(sessionId);
  if (!run || !session) return;
  const now = systemClock.now();
  await store.commit({
    writes: [
      {
        table: "interactions",
        id,
        ifVersion: version,
        set: { status: "cancelled", expiresAt: null },
      },
      { table: "runs", id: runId, ifVersion: run.version, set: { status: "ended" } },
      { table: "sessions", id: sessionId, ifVersion: session.version, set: { deletedAt: now } },
    ],
    events: [],
  });
}
