import { afterAll, beforeAll, expect, test } from "vitest";
import { CommandLine } from "../../../test/support/command-line.ts";
import type { InboxPerson } from "../../../test/support/inbox-person.ts";

let at: CommandLine;
let person: InboxPerson;

beforeAll(async () => {
  at = await CommandLine.start();
  person = await at.person();
});
afterAll(() => at[Symbol.asyncDispose]());

const submit = (answer: string) => ({ action: "submit", input: { answer } });

test.each(["deploy-1", "", "Änderung 7 / ../x\n", "k".repeat(500)])(
  "what asked under the key %j and was cut off gets the answer given in between",
  async (key) => {
    const ask = ["ask", `Which? ${key}`, "--key", key];
    const first = at.start(ask);
    const prompt = await person.next();
    await first.said("Waiting");
    first.stop();
    expect((await first.done).exitCode).toBe(130);
    await person.answer(prompt, submit("that"));
    const again = await at.beckon([...ask, "--json"]);
    expect(again.exitCode).toBe(0);
    expect(JSON.parse(again.out.join(""))).toMatchObject({ id: prompt.id, answer: "that" });
  },
);

test("two who ask at once under one key have one prompt", async () => {
  const ask = ["confirm", "Once?", "--key", "both"];
  const both = [at.start(ask), at.start(ask)];
  const prompt = await person.next();
  await Promise.all(both.map((one) => one.said("Waiting")));
  await person.answer(prompt, { action: "approve" });
  for (const one of both) expect((await one.done).exitCode).toBe(0);
  const { interactions } = await at.http("GET", "/api/interactions");
  expect(interactions).toEqual([]);
});

test("another question under the same key is refused in one sentence", async () => {
  await at.beckon(["ask", "Which?", "--key", "once", "--no-wait"]);
  await person.next();
  expect(await at.beckon(["ask", "Which then?", "--key", "once"])).toEqual({
    exitCode: 1,
    out: [],
    err: 'Under the key "once" something else was asked before: give another question another key.',
  });
});

test("a key stands for the end of its question too, and says so", async () => {
  const ask = ["ask", "Now?", "--key", "late", "--timeout", "1s"];
  expect((await at.beckon(ask)).exitCode).toBe(124);
  const { id } = await person.next();
  const again = await at.beckon([...ask, "--json"]);
  expect(again.exitCode).toBe(124);
  expect(again.err).toMatch(
    /^This was asked before.* use another key\.\nNobody answered in time\.$/,
  );
  expect(JSON.parse(again.out.join(""))).toMatchObject({ id });
});

test("a key is the asker's own: another token's is another", async () => {
  const ask = ["ask", "Whose?", "--key", "mine", "--no-wait"];
  const [owners] = (await at.beckon(ask)).out;
  const env = { BECKON_TOKEN: await at.newToken("machine", "ci") };
  const [machines] = (await at.beckon(ask, { env })).out;
  expect(machines).not.toBe(owners);
  await person.next();
  await person.next();
});

test("a server that stops and starts again is waited for", async () => {
  const running = at.start(["ask", "Still there?"]);
  const prompt = await person.next();
  await running.said("Waiting");
  await at.stopServer();
  await running.said("away");
  await at.serve();
  person = await at.person();
  await person.answer(prompt, submit("yes"));
  const { exitCode, out, err } = await running.done;
  expect([exitCode, out]).toEqual([0, ["yes"]]);
  expect(err.match(/away/g)).toHaveLength(1);
});
