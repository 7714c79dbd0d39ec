import { setTimeout as pause } from "node:timers/promises";
import type { ChatEvent } from "../../src/protocol/index.ts";
import { createRandom } from "../../src/testing/random.ts";
import { sessionViolations } from "../crash/checks.ts";
import { countRepeats } from "../crash/evidence.ts";
import { type Habit, Person } from "../crash/person.ts";
import type { SessionView } from "../crash/session-view.ts";
import { habit, STORIES, type StoryName } from "../crash/stories.ts";
import { Cluster } from "./cluster.ts";
import { type Fault, Faults, type Takeover } from "./faults.ts";

export interface LoadOptions {
  seed: number;
  clients: number;
  /** For how long faults happen. */
  ms: number;
  /** Which, each as often as it is named. */
  faults: readonly Fault[];
  /** Between the beginning of one and that of the next, at most. */
  everyMs: number;
  nodes?: number;
  progress?: (line: string) => void;
}

export interface LoadReport {
  prompts: number;
  answers: number;
  sessions: number;
  calls: number;
  reconnects: number;
  faults: Map<Fault, number>;
  takeovers: Takeover[];
  /** Steps of handlers and hooks, and how many of them ran again, after a fault or a lost reply. */
  steps: number;
  repeated: number;
  violations: string[];
}

const TELLABLE = Object.keys(STORIES) as StoryName[];
const ROUNDS_PER_SESSION = 10;
const THINK_MS = 6_000;
const RIVAL_SHARE = 0.1;
/** The lease, a heartbeat, and what a busy machine adds. */
export const TAKEOVER_SECONDS = 20;

/** Lets many clients work with a cluster to which things happen, and checks what was promised. */
export async function runLoad(options: LoadOptions): Promise<LoadReport> {
  const { seed, clients, ms, everyMs, progress = () => {} } = options;
  const random = createRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const cluster = await Cluster.start(options.nodes);
  await cluster.kept.watchSettled();
  const faults = new Faults(cluster, below);
  const violations: string[] = [];
  const found = (broken: string[]) => {
    violations.push(...broken);
    for (const line of broken) progress(line);
  };
  const withRivals: Habit = (request, detached) => {
    const bodies = habit(request, detached);
    return bodies && random() < RIVAL_SHARE ? [...bodies, ...bodies] : bodies;
  };
  const people = Array.from({ length: clients }, (_, at) => {
    let ids = 0;
    const by = at % 2 === 0 ? "socket" : "http";
    return new Person(withRivals, () => `c${at}-${++ids}`, by);
  });
  for (const person of people) person.connect(cluster.address);
  const until = performance.now() + ms;
  const isOver = () => performance.now() >= until || violations.length > 0;

  async function hurt(): Promise<void> {
    while (!isOver()) {
      const fault = options.faults[below(options.faults.length)];
      if (fault && faults.begin(fault)) progress(fault);
      await pause(below(everyMs));
    }
    await faults.untilOver();
  }

  async function converse(person: Person, at: number): Promise<void> {
    for (let round = 0; !isOver();) {
      const view = await person.openSession();
      do {
        const story = TELLABLE[below(TELLABLE.length)] as StoryName;
        STORIES[story](person, view.id, `${at}-${round}`);
        found(await person.untilOver(view, `${story} in ${view.id}`));
        await pause(below(THINK_MS));
      } while (++round % ROUNDS_PER_SESSION > 0 && !isOver());
    }
  }

  await Promise.all([hurt(), ...people.map(converse)]).catch((error: unknown) => {
    found([error instanceof Error ? (error.stack ?? error.message) : String(error)]);
  });
  if (violations.length > 0) found(await underWay(cluster));
  await faults.untilOver();
  found(await judge(cluster, people));
  for (const { fault, seconds, runs } of faults.takeovers) {
    if (seconds <= TAKEOVER_SECONDS) continue;
    found([`${runs} runs were taken over ${seconds.toFixed(1)} s after a ${fault}`]);
  }
  const [counts] = await cluster.query(`SELECT
    (SELECT count(*)::int FROM beckon.interactions) AS prompts,
    (SELECT count(*)::int FROM beckon.tool_calls) AS calls,
    (SELECT count(*)::int FROM beckon.sessions) AS sessions`);
  const { steps, repeated } = countRepeats(cluster.directory);
  for (const person of people) person.leave();
  await cluster.close();
  const sum = (of: (person: Person) => number) => people.reduce((all, one) => all + of(one), 0);
  return {
    prompts: counts?.["prompts"],
    calls: counts?.["calls"],
    sessions: counts?.["sessions"],
    answers: sum(({ answers }) => answers.filter(({ reply }) => reply?.["ok"]).length),
    reconnects: sum(({ reconnects }) => reconnects),
    faults: faults.counts,
    takeovers: faults.takeovers,
    steps,
    repeated: repeated.length,
    violations,
  };
}

/** What the store has of it, when something does not come to its end. */
async function underWay(cluster: Cluster): Promise<string[]> {
  const rows = await cluster.query(`SELECT runs.id, runs.session_id, runs.status, owner, attempt,
      lease_until - beckon.beckon_now() AS lease_ms
    FROM beckon.runs WHERE status <> 'ended' ORDER BY created_at LIMIT 10`);
  return rows.map((row) => `under way: ${JSON.stringify(row)}`);
}

/** What was broken in all sessions, by what the store has and what clients were told. */
export async function judge(cluster: Cluster, people: Person[]): Promise<string[]> {
  const evidenceOf = await cluster.kept.readEvidence();
  const found: string[] = [];
  for (const person of people) {
    for (const view of person.views.values()) {
      const { id } = view;
      const [replayed, listed, session] = await Promise.all([
        readLog(person, view),
        person.http("GET", `/api/interactions?status=pending&sessionId=${id}`),
        person.http("GET", `/api/sessions/${id}`),
      ]);
      const broken = sessionViolations({
        view,
        answers: person.answers.filter((one) => one.sessionId === id),
        calls: person.calls.filter((one) => one.sessionId === id),
        messages: person.messages.filter((one) => one.sessionId === id),
        replayed,
        openRecords: listed.interactions,
        session,
        evidence: evidenceOf(id),
      });
      found.push(...broken.map((one) => `${one} (session ${id})`));
    }
    found.push(...person.problems);
  }
  const logged = cluster.nodes.flatMap(({ name, errors }) =>
    errors.map((line) => `${name} logged an error: ${line}`),
  );
  const changed = (await cluster.kept.readChanges()).map((one) => `I6: ${one}`);
  return [...found, ...logged, ...changed, ...(await cluster.kept.readLeaks())];
}

async function readLog(person: Person, view: SessionView): Promise<ChatEvent[]> {
  const log: ChatEvent[] = [];
  for (;;) {
    const query = `after=${log.length}&limit=10000`;
    const page = await person.http("GET", `/api/sessions/${view.id}/events?${query}`);
    log.push(...page.events);
    if (page.events.length === 0 || log.length >= page.lastSeq) return log;
  }
}
