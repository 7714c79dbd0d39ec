import { afterAll, beforeAll, expect, test } from "vitest";
import { CommandLine } from "../../../test/support/command-line.ts";

let at: CommandLine;
beforeAll(async () => {
  at = await CommandLine.start();
});
afterAll(() => at[Symbol.asyncDispose]());

const say = (sessionId: string, content: string) =>
  at.http("POST", `/api/sessions/${sessionId}/messages`, { content });

/** Runs `tail` until so many lines have come, then stops it; `begun` resolves with the first. */
function tail(count: number, ...args: string[]) {
  const running = at.start(["tail", ...args]);
  void running.printed(count).then(() => running.stop());
  return { begun: running.firstLine, done: running.done };
}

test("it tells what happened, a line an event, and ends when the session is idle", async () => {
  const { id } = await at.session();
  await say(id, "Hello\u001b[2J\nthere");
  await at.beckon(["tail", id, "--until-idle"]);
  const { exitCode, out } = await at.beckon(["tail", id, "--all", "--until-idle"]);
  expect(exitCode).toBe(0);
  const told = out.map((line) => line.replace(/^\d\d:\d\d:\d\d/, ""));
  expect(told.slice(0, 3)).toEqual([
    "  message   Owner: Hello\\u{1B}[2J",
    "                    there",
    "  turn      begins",
  ]);
  expect(told.at(-1)).toBe("  turn      completed");
});

test("a prompt is told with how to answer it, then who did what", async () => {
  const { id } = await at.ask({ type: "approval", toolName: "deploy" });
  const { sessionId } = await at.prompt(id);
  await at.beckon(["answer", id, "--deny", "--reason", "No"]);
  const { out } = await at.beckon(["tail", sessionId, "--all", "--until-idle"]);
  expect(out.join("\n")).toMatch(
    new RegExp(
      `asks +Allow deploy\\?\n +Answer with: beckon answer ${id}\n.* Denied by Owner: “No”`,
    ),
  );
});

test("a confirmation is told by its question", async () => {
  const confirm = { type: "approval", kind: "confirm", toolName: "confirm" };
  const { id } = await at.ask({ ...confirm, prompt: "Paint the door?" });
  const { sessionId } = await at.prompt(id);
  await at.beckon(["answer", id, "--approve"]);
  const { out } = await at.beckon(["tail", sessionId, "--all", "--until-idle"]);
  expect(out.join("\n")).toMatch(/ asks +Paint the door\?\n +Answer with/);
});

test("--lines begins with the last events; --json gives each as it is", async () => {
  const { id } = await at.session();
  await say(id, "Hello");
  await at.beckon(["tail", id, "--until-idle"]);
  const all = await at.events(id);
  const { done } = tail(2, id, "--lines", "2", "--json");
  const { exitCode, out, err } = await done;
  expect([exitCode, err]).toEqual([130, "Interrupted."]);
  expect(out.map((line) => JSON.parse(line))).toEqual(all.slice(-2));
});

test("over restarts of the server no event is lost and none is repeated", async () => {
  const { id } = await at.session();
  await say(id, "Before");
  await at.beckon(["tail", id, "--until-idle"]);
  const before = (await at.events(id)).length;
  const { begun, done } = tail(before * 2, id, "--all", "--json");
  await begun;
  await at.stopServer();
  await at.serve();
  await say(id, "After.");
  const { out, err } = await done;
  expect(out.map((line) => JSON.parse(line).seq)).toEqual(
    Array.from({ length: before * 2 }, (_none, at) => at + 1),
  );
  expect(err).toContain("The server is away. Waiting for it to come back");
  expect(err).toContain("The server is back.");
});

test("a session that is deleted ends it, one that is not there does not begin it", async () => {
  const { id } = await at.session();
  await say(id, "Hello");
  const { begun, done } = tail(1_000, id, "--all");
  await begun;
  await at.http("DELETE", `/api/sessions/${id}`);
  expect(await done).toMatchObject({ exitCode: 1, err: "This session was deleted." });
  expect(await at.beckon(["tail", id])).toMatchObject({
    exitCode: 1,
    err: expect.stringMatching(/session/),
  });
});

test("a machine follows the session that it is bound to, and no other", async () => {
  const [{ id }, other] = [await at.session(), await at.session()];
  await say(id, "Hello");
  const made = await at.beckon(["token", "create", "--kind", "machine", "--session", id]);
  const env = { BECKON_TOKEN: made.out.at(-1) ?? "" };
  const { exitCode, out } = await at.beckon(["tail", id, "--all", "--until-idle"], { env });
  expect([exitCode, out[0]]).toEqual([0, expect.stringContaining("Hello")]);
  expect((await at.beckon(["tail", other.id], { env })).exitCode).toBe(1);
});
