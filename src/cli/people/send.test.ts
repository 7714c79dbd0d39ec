import { afterAll, beforeAll, expect, test } from "vitest";
import { CliBench } from "../../../test/support/cli-bench.ts";

let bench: CliBench;
beforeAll(async () => {
  bench = await CliBench.make();
});
afterAll(() => bench.close());

const messages = async (id: string) =>
  (await bench.events(id)).flatMap((event) =>
    event.type === "user_message" ? [event.payload.text] : [],
  );

test("a message is sent, from the command line or from stdin", async () => {
  const { id } = await bench.session();
  const { exitCode, out, err } = await bench.beckon(["send", id, "Hello"]);
  expect([exitCode, out, err]).toEqual([0, [], "Sent."]);
  await bench.beckon(["send", id, "-"], { stdin: "Two\nlines\n" });
  expect(await messages(id)).toEqual(["Hello", "Two\nlines"]);
});

test("the same message under the same key is sent once", async () => {
  const { id } = await bench.session();
  for (const _time of [1, 2]) {
    const { out } = await bench.beckon(["send", id, "Hello", "--key", "k1", "--json"]);
    expect(JSON.parse(out[0] ?? "")).toEqual({
      sessionId: id,
      messageId: expect.stringMatching(/^key-/),
    });
  }
  expect(await messages(id)).toEqual(["Hello"]);
  expect((await bench.beckon(["send", id, "Other", "--key", "k1"])).exitCode).toBe(1);
});

test("--wait prints what the agent wrote, and the same key tells it again", async () => {
  const { id } = await bench.session();
  const first = await bench.beckon(["send", id, "/help", "--wait", "--key", "h"]);
  expect(first.exitCode).toBe(0);
  expect(first.out.join("\n")).toContain("`/tour` walks you through");
  const again = await bench.beckon(["send", id, "/help", "--wait", "--key", "h", "--json"]);
  expect(JSON.parse(again.out[0] ?? "")).toEqual({
    sessionId: id,
    messageId: expect.stringMatching(/^key-/),
    status: "completed",
    text: first.out.join("\n"),
  });
});

test("--wait says how to answer what is asked meanwhile, and goes on over a restart", async () => {
  const { id } = await bench.session();
  const text = '/call ask_user {"question":"Which colour?"}';
  const sent = bench.beckon(["send", id, text, "--wait"]);
  const open = async () => (await bench.beckon(["inbox", "--json"])).out[0] ?? "";
  await expect.poll(open).toContain("Which colour?");
  const prompt = JSON.parse(await open()).interactions[0];
  await bench.goAway();
  await bench.serve();
  await bench.beckon(["answer", prompt.id, "--answer", "answer=blue"]);
  const { exitCode, out, err } = await sent;
  expect(err.split("\n")[0]).toBe(`It waits for a person. Answer with: beckon answer ${prompt.id}`);
  expect(err.split("beckon answer")).toHaveLength(2);
  expect([exitCode, out.join("\n")]).toEqual([0, expect.stringContaining("blue")]);
});

test("a turn that is cancelled ends it with 5, an interruption with 130", async () => {
  const { id } = await bench.session();
  const text = '/call ask_user {"question":"Still there?"}';
  const isRunning = async () =>
    (await bench.http<{ status: string }>("GET", `/api/sessions/${id}`)).status;
  const cancelled = bench.beckon(["send", id, text, "--wait"]);
  await expect.poll(isRunning).toBe("waiting");
  await bench.http("POST", `/api/sessions/${id}/cancel`, {});
  expect(await cancelled).toMatchObject({ exitCode: 5 });
  const stop = new AbortController();
  const interrupted = bench.beckon(["send", id, text, "--wait"], { stop: stop.signal });
  await expect.poll(isRunning).toBe("waiting");
  stop.abort();
  expect(await interrupted).toMatchObject({ exitCode: 130, err: expect.stringMatching(/goes on/) });
});

test("--delivery interrupt ends the running turn first", async () => {
  const { id } = await bench.session();
  const first = bench.beckon(["send", id, '/call ask_user {"question":"?"}', "--wait"]);
  const status = async () =>
    (await bench.http<{ status: string }>("GET", `/api/sessions/${id}`)).status;
  await expect.poll(status).toBe("waiting");
  const second = await bench.beckon(["send", id, "Stop", "--delivery", "interrupt", "--wait"]);
  expect([second.exitCode, (await first).exitCode]).toEqual([0, 5]);
});

test("an empty message and a session that is not there are refused", async () => {
  expect(await bench.beckon(["send", "x", ""])).toMatchObject({ exitCode: 2 });
  for (const more of [[], ["--wait"]]) {
    const { exitCode, err } = await bench.beckon(["send", "nope", "Hello", ...more]);
    expect([exitCode, err]).toEqual([1, expect.stringMatching(/session/)]);
  }
});
