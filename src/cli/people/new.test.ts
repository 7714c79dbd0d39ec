import { afterAll, beforeAll, expect, test } from "vitest";
import { CommandLine } from "../../../test/support/command-line.ts";

let at: CommandLine;
beforeAll(async () => {
  at = await CommandLine.start();
});
afterAll(() => at[Symbol.asyncDispose]());

test("a session is started with its first message, and its id is printed", async () => {
  const { exitCode, out } = await at.beckon(["new", "Find the leak", "--cwd", "/srv/shop"]);
  expect(exitCode).toBe(0);
  const [id = ""] = out;
  const { out: listed } = await at.beckon(["sessions", "--json"]);
  const { sessions } = JSON.parse(listed[0] ?? "");
  expect(sessions[0]).toMatchObject({
    id,
    title: "Find the leak",
    cwd: "/srv/shop",
    agent: "demo",
  });
  expect((await at.events(id))[0]?.payload).toMatchObject({ text: "Find the leak" });
});

test("it may be named, and --json prints it", async () => {
  const { out } = await at.beckon(["new", "--title", "The cellar", "--model", "m1", "--json"]);
  expect(JSON.parse(out[0] ?? "")).toMatchObject({ title: "The cellar", model: "m1", lastSeq: 0 });
});

test("an agent that is not installed is refused with how to get it, and no session is made", async () => {
  const count = async () =>
    JSON.parse((await at.beckon(["sessions", "--json"])).out[0] ?? "").sessions.length;
  const before = await count();
  const { exitCode, err } = await at.beckon(["new", "Hello", "--agent", "codex"]);
  expect(exitCode).toBe(1);
  expect(err).toBe(
    "Codex needs the Codex CLI, which is not installed here. Install it with: npm install -g @openai/codex",
  );
  expect(await count()).toBe(before);
});

test("an agent or a mode that there is not is refused with what there is", async () => {
  const unknown = await at.beckon(["new", "--agent", "hal"]);
  expect(unknown.exitCode).toBe(1);
  expect(unknown.err).toContain('There is no agent "hal". Choose one of: demo');
  const mode = await at.beckon(["new", "--mode", "warp"]);
  expect(mode.err).toContain('Demo has no mode "warp".');
  expect((await at.beckon(["new", ""])).exitCode).toBe(2);
});
