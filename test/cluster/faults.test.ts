import { afterAll, beforeAll, expect, test } from "vitest";
import { createRandom } from "../../src/testing/random.ts";
import { countRepeats } from "../crash/evidence.ts";
import { Person } from "../crash/person.ts";
import { habit, STORIES, type StoryName } from "../crash/stories.ts";
import { Cluster } from "./cluster.ts";
import { type Fault, Faults } from "./faults.ts";
import { judge, TAKEOVER_SECONDS } from "./load.ts";

let cluster: Cluster;
let faults: Faults;
let people: Person[];

beforeAll(async () => {
  cluster = await Cluster.start();
  await cluster.kept.watchSettled();
  const random = createRandom(7);
  faults = new Faults(cluster, (limit) => Math.floor(random() * limit), [2_000]);
  let ids = 0;
  people = (["socket", "http"] as const).map((by) => new Person(habit, () => `${by}-${++ids}`, by));
  for (const person of people) person.connect(cluster.address);
});
afterAll(async () => {
  for (const person of people) person.leave();
  await cluster.close();
});

const TOLD: StoryName[] = ["parallel", "gate", "http", "secret", "retry"];

test.each<[string, Fault]>([
  ["a node is killed", "kill"],
  ["a node is stopped for a while", "stop"],
  ["a node is ended and started again", "shutDown"],
  ["the database restarts", "restartPostgres"],
  ["connections of clients are cut", "cut"],
  ["connections to the database are cut", "cutDatabase"],
])("nothing is lost and nothing happens twice when %s", async (_what, fault) => {
  const told = people.map(async (person) => {
    const view = await person.openSession();
    for (const story of TOLD) STORIES[story](person, view.id, `${view.id}-${story}`);
    await person.until(() => view.log.some(({ type }) => type === "tool_call"), "a call");
    return { person, view };
  });
  await Promise.all(told);
  const before = countRepeats(cluster.directory).repeated;
  expect(faults.begin(fault)).toBe(true);
  for (const { person, view } of await Promise.all(told)) {
    expect(await person.untilOver(view, fault)).toEqual([]);
  }
  await faults.untilOver();
  expect(await judge(cluster, people)).toEqual([]);
  // No process has ended, and the database was there: no step and no hook has reason to run again.
  if (fault === "cut") expect(countRepeats(cluster.directory).repeated).toEqual(before);
  for (const { seconds } of faults.takeovers) expect(seconds).toBeLessThan(TAKEOVER_SECONDS);
});
