import { afterAll, beforeAll, expect, test } from "vitest";
import { CommandLine } from "../../../test/support/command-line.ts";

let at: CommandLine;
beforeAll(async () => {
  at = await CommandLine.start();
});
afterAll(() => at[Symbol.asyncDispose]());

test("an empty inbox and no sessions are said in words, and as empty lists", async () => {
  expect(await at.beckon(["inbox"])).toEqual({
    exitCode: 0,
    out: [],
    err: "Nothing waits for you.",
  });
  expect((await at.beckon(["inbox", "--json"])).out).toEqual(['{"interactions":[]}']);
  expect(await at.beckon(["sessions"])).toMatchObject({ err: "There are no sessions yet." });
  expect((await at.beckon(["sessions", "--json"])).out).toEqual(['{"sessions":[]}']);
});

test("the inbox lists what waits, oldest first, and nothing hides in it", async () => {
  const first = await at.ask({
    type: "approval",
    toolName: "deploy",
    toolInput: { command: "rm \u001b[2J\u202e x" },
    timeoutMs: 3_600_000,
  });
  const second = await at.ask({ type: "input", prompt: "Which\u200b colour?" });
  const { exitCode, out } = await at.beckon(["inbox"]);
  expect(exitCode).toBe(0);
  expect(out).toHaveLength(3);
  expect(out[0]).toMatch(/^ID +KIND +SESSION +ASKED +LEFT +FIELDS +ABOUT$/);
  expect(out[1]).toContain(first.id);
  expect(out[1]).toMatch(/59 min \d+ s +- +Allow deploy\? rm \\u\{1B\}\[2J\\u\{202E\} x$/);
  expect(out[2]).toMatch(
    new RegExp(`^${second.id} +input .* - +- +Which\\\\u{200B} colour\\? ask$`),
  );
  const json = JSON.parse((await at.beckon(["inbox", "--json"])).out[0] ?? "");
  expect(json.interactions).toMatchObject([{ id: first.id }, { id: second.id }]);
  const fields = ["host", "copies"].map((id) => ({ id, type: "text", label: id }));
  await at.ask({ type: "input", prompt: "Where?", inputSchema: { type: "form", fields } });
  expect((await at.beckon(["inbox"])).out[3]).toMatch(/ host,copies +Where\? ask$/);
});

test("a confirmation is listed by its question, once", async () => {
  const running = at.start(["confirm", "Paint the door?"]);
  const about = async () => (await at.beckon(["inbox"])).out.at(-1);
  await expect.poll(about).toMatch(/ - +Paint the door\?$/);
  const [id = ""] = (await about())?.split(" ") ?? [];
  await at.beckon(["answer", id, "--approve"]);
  expect((await running.done).exitCode).toBe(0);
});

test("sessions are listed by their last change, as many as wanted, and on from there", async () => {
  const oldest = await at.session({ title: "Oldest\u0007" });
  const middle = await at.session({ title: "Middle" });
  const newest = await at.session({ title: "Newest" });
  await at.ask({ type: "approval", sessionId: newest.id });
  const two = await at.beckon(["sessions", "--limit", "2"]);
  expect(two.out).toEqual([
    expect.stringMatching(/^ID +AGENT +STATUS +WAITING +UPDATED +TITLE$/),
    expect.stringMatching(new RegExp(`^${newest.id} +demo +waiting +1 .* Newest$`)),
    expect.stringMatching(new RegExp(`^${middle.id} +demo +idle +- .* Middle$`)),
  ]);
  const cursor = two.err.replace("More with: beckon sessions --cursor ", "");
  const rest = await at.beckon(["sessions", "--limit", "1", "--cursor", cursor]);
  expect(rest.out[1]).toContain("Oldest\\u{7}");
  const json = JSON.parse((await at.beckon(["sessions", "--json"])).out[0] ?? "");
  expect(json.sessions.map(({ id }: { id: string }) => id).slice(0, 3)).toEqual([
    newest.id,
    middle.id,
    oldest.id,
  ]);
});

test("--limit takes whole numbers only", async () => {
  const { exitCode, err } = await at.beckon(["sessions", "--limit", "0"]);
  expect([exitCode, err]).toEqual([2, expect.stringContaining("Give a whole number from 1 on.")]);
});
