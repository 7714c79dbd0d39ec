import { afterAll, beforeAll, expect, test } from "vitest";
import { CommandLine } from "../../../test/support/command-line.ts";

let at: CommandLine;
beforeAll(async () => {
  at = await CommandLine.start();
});
afterAll(() => at[Symbol.asyncDispose]());

const messages = async (id: string) =>
  (await at.events(id)).flatMap((event) =>
    event.type === "user_message" ? [event.payload.text] : [],
  );

test("a message is sent, from the command line or from stdin", async () => {
  const { id } = await at.session();
  const { exitCode, out, err } = await at.beckon(["send", id, "Hello"]);
  expect([exitCode, out, err]).toEqual([0, [], "Sent."]);
  await at.beckon(["send", id, "-"], { stdin: "Two\nlines\n" });
  expect(await messages(id)).toEqual(["Hello", "Two\nlines"]);
});

test("the same message under the same key is sent once", async () => {
  const { id } = await at.session();
  for (const _time of [1, 2]) {
    const { out } = await at.beckon(["send", id, "Hello", "--key", "k1", "--json"]);
    expect(JSON.parse(out[0] ?? "")).toEqual({
      sessionId: id,
      messageId: expect.stringMatching(/^key-/),
    });
  }
  expect(await messages(id)).toEqual(["Hello"]);
  expect((await at.beckon(["send", id, "Other", "--key", "k1"])).exitCode).toBe(1);
});

test("--wait prints what the agent wrote, and the same key tells it again", async () => {
  const { id } = await at.session();
  const first = await at.beckon(["send", id, "/help", "--wait", "--key", "h"]);
  expect(first.exitCode).toBe(0);
  expect(first.out.join("\n")).toContain("`/tour` walks you through");
  const again = await at.beckon(["send", id, "/help", "--wait", "--key", "h", "--json"]);
  expect(JSON.parse(again.out[0] ?? "")).toEqual({
    sessionId: id,
    messageId: expect.stringMatching(/^key-/),
    status: "completed",
    text: first.out.join("\n"),
  });
});

test("--wait says how to answer what is asked meanwhile, and goes on over a restart", async () => {
  const { id } = await at.session();
  const text = '/call ask_user {"question":"Which colour?"}';
  const sent = at.beckon(["send", id, text, "--wait"]);
  const open = async () => (await at.beckon(["inbox", "--json"])).out[0] ?? "";
  await expect.poll(open).toContain("Which colour?");
  const prompt = JSON.parse(await open()).interactions[0];
  await at.stopServer();
  await at.serve();
  await at.beckon(["answer", prompt.id, "--answer", "answer=blue"]);
  const { exitCode, out, err } = await sent;
  expect(err).toContain(`It waits for a person. Answer with: beckon answer ${prompt.id}`);
  expect(err.split("beckon answer")).toHaveLength(2);
  expect([exitCode, out.join("\n")]).toEqual([0, expect.stringContaining("blue")]);
});

test("a turn that is cancelled ends it with 5, an interruption with 130", async () => {
  const { id } = await at.session();
  const text = '/call ask_user {"question":"Still there?"}';
  const isRunning = async () =>
    (await at.http<{ status: string }>("GET", `/api/sessions/${id}`)).status;
  const cancelled = at.beckon(["send", id, text, "--wait"]);
  await expect.poll(isRunning).toBe("waiting");
  await at.http("POST", `/api/sessions/${id}/cancel`, {});
  expect(await cancelled).toMatchObject({ exitCode: 5 });
  const interrupted = at.start(["send", id, text, "--wait"]);
  await expect.poll(isRunning).toBe("waiting");
  interrupted.stop();
  expect(await interrupted.done).toMatchObject({
    exitCode: 130,
    err: expect.stringMatching(/goes on/),
  });
});

test("a token that is revoked meanwhile ends it with 4", async () => {
  const { id } = await at.session();
  const env = { BECKON_TOKEN: await at.newToken("person", "Bob") };
  const text = '/call ask_user {"question":"Still there?"}';
  const sent = at.beckon(["send", id, text, "--wait"], { env });
  const status = async () =>
    (await at.http<{ status: string }>("GET", `/api/sessions/${id}`)).status;
  await expect.poll(status).toBe("waiting");
  const listed = await at.beckon(["token", "list", "--json"]);
  const { tokens } = JSON.parse(listed.out.join("")) as { tokens: { id: string; name: string }[] };
  await at.beckon(["token", "revoke", tokens.find(({ name }) => name === "Bob")?.id ?? ""]);
  expect((await sent).exitCode).toBe(4);
});

test("--delivery interrupt ends the running turn first", async () => {
  const { id } = await at.session();
  const first = at.beckon(["send", id, '/call ask_user {"question":"?"}', "--wait"]);
  const status = async () =>
    (await at.http<{ status: string }>("GET", `/api/sessions/${id}`)).status;
  await expect.poll(status).toBe("waiting");
  const second = await at.beckon(["send", id, "Stop", "--delivery", "interrupt", "--wait"]);
  expect([second.exitCode, (await first).exitCode]).toEqual([0, 5]);
});

test("an empty message and a session that is not there are refused", async () => {
  expect(await at.beckon(["send", "x", ""])).toMatchObject({ exitCode: 2 });
  for (const more of [[], ["--wait"]]) {
    const { exitCode, err } = await at.beckon(["send", "nope", "Hello", ...more]);
    expect([exitCode, err]).toEqual([1, expect.stringMatching(/session/)]);
  }
});

test("what a machine's token sends is the program's message, with and without --wait", async () => {
  const { id } = await at.session();
  const bound = await at.beckon([
    "token",
    "create",
    "--kind",
    "machine",
    "--name",
    "ci",
    "--session",
    id,
  ]);
  const env = { BECKON_TOKEN: bound.out.at(-1) ?? "" };
  await at.beckon(["send", id, "Hello"], { env });
  await at.beckon(["send", id, "Again", "--wait"], { env });
  const senders = (await at.events(id)).flatMap((event) =>
    event.type === "user_message" ? [event.payload.sender] : [],
  );
  const program = { id: expect.any(String), name: "ci", kind: "machine" };
  expect(senders).toEqual([program, program]);
});
