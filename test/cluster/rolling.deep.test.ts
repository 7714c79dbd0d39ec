import { afterEach, expect, test } from "vitest";
import { Person } from "../crash/person.ts";
import { habit, STORIES, type StoryName } from "../crash/stories.ts";
import { Cluster } from "./cluster.ts";
import { judge } from "./load.ts";

let cluster: Cluster | undefined;
afterEach(() => cluster?.close());

const TOLD: StoryName[] = ["steps", "reprompt", "parallel", "grant", "gate", "secret", "http"];
const CLIENTS = 20;
/** Calls that cannot be run again are orphans when their process ends, also in order. */
const ORPHANS = `SELECT tool, error FROM beckon.tool_calls
  WHERE ok = false OR durable = 'replay' AND id IN
    (SELECT call_id FROM beckon.interactions WHERE link = 'orphaned')`;
/** Who waits for a call over HTTP has no line to come back over: it is told to ask again. */
const TO_CALLERS = "The server is stopping. Call again with the same x-tool-call-id";

test("a rolling restart of all nodes under load costs clients a reconnect and nothing else", async () => {
  cluster = await Cluster.start();
  const { nodes } = cluster;
  await cluster.kept.watchSettled();
  const over = new AbortController();
  const people = Array.from({ length: CLIENTS }, (_, at) => {
    let ids = 0;
    const by = at % 2 === 0 ? "socket" : "http";
    return new Person(habit, () => `c${at}-${++ids}`, by);
  });
  // Answers nothing before the nodes are new.
  let ids = 0;
  let isAway = true;
  const late = new Person(
    (request, detached) => (isAway ? undefined : habit(request, detached)),
    () => `late-${++ids}`,
  );
  for (const person of [...people, late]) person.connect(cluster.address);
  const waiting = await Promise.all(
    TOLD.map(async (story) => {
      const view = await late.openSession();
      STORIES[story](late, view.id, `${story}-waiting`);
      await late.until(() => view.open.size > 0, story);
      return view;
    }),
  );

  const load = people.map(async (person, at) => {
    for (let round = 0; !over.signal.aborted; round++) {
      const view = await person.openSession();
      for (const story of TOLD) {
        STORIES[story](person, view.id, `${at}-${round}-${story}`);
        expect(await person.untilOver(view, story)).toEqual([]);
      }
    }
  });
  for (const node of nodes) {
    await node.shutDown();
    await node.start();
  }
  over.abort();
  await Promise.all(load);
  const open = waiting.map((view) => view.open.size);
  expect(open.every((count) => count > 0)).toBe(true);
  isAway = false;
  late.lookAgain();
  for (const view of waiting) expect(await late.untilOver(view, "what waited")).toEqual([]);

  expect(await judge(cluster, [...people, late])).toEqual([]);
  expect(await cluster.query(ORPHANS)).toEqual([]);
  const refusals = [...people, late].flatMap((person) => person.refusals);
  expect(refusals.filter((one) => !one.includes(TO_CALLERS))).toEqual([]);
  for (const person of [...people, late]) person.leave();
});
