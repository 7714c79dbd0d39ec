import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  type FakeAnthropic,
  latest,
  says,
  startFakeAnthropic,
  toolUse,
} from "../../../src/testing/index.ts";
import { MortalServer } from "../mortal-server.ts";
import { processesOf } from "../processes.ts";
import { COLOUR, SDK_PATH } from "./claude-house.ts";

let server: MortalServer<FakeAnthropic>;
beforeEach(async () => {
  const model = await startFakeAnthropic();
  server = await MortalServer.start(model, "claude", (folder) => ({
    sdkPath: SDK_PATH,
    settingSources: [],
    env: model.env(folder),
  }));
});
afterEach(() => server.close());

/** What the model says to a process whose server is gone: it is told that nobody can be asked. */
const FORSAKEN = "Then not.";

const make = (id: string) => says(toolUse(id, "Bash", { command: "mkdir kept" }));

test("an approval given after kill -9 is adopted by the identical call, and nobody is asked twice", async () => {
  const { model } = server;
  model.answer((request) => {
    const { results, text } = latest(request);
    if (results.some(({ toolUseId }) => toolUseId === "toolu_k2")) return says("Done at last.");
    if (text.includes("approved")) return make("toolu_k2");
    return results.length > 0 ? says(FORSAKEN) : make("toolu_k1");
  });
  const before = await server.talk();
  await before.say("make the folder");
  const asked = await before.prompt();
  await server.kill();
  await server.revive();
  const after = await server.talk(before.sessionId);
  expect(await after.ended()).toBe("interrupted");
  await after.answer(asked, { action: "approve" });
  expect(await after.ended(2)).toBe("completed");
  expect(existsSync(join(server.work, "kept"))).toBe(true);
  expect(after.types().filter((type) => type === "interaction_request")).toHaveLength(1);
  expect((await after.result("toolu_k2")).ok).toBe(true);
  const resumed = model.requests.find(({ messages }) =>
    JSON.stringify(messages).includes("approved"),
  );
  expect(JSON.stringify(resumed?.messages)).toContain("make the folder");
});

test("an answer to questions given after kill -9 reaches the model as a message", async () => {
  const { model } = server;
  model.answer((request) => {
    const { results, text } = latest(request);
    if (text.includes("Blue")) return says("Blue it is.");
    if (results.length > 0) return says(FORSAKEN);
    return says(toolUse("toolu_k3", "AskUserQuestion", { questions: [COLOUR] }));
  });
  const before = await server.talk();
  await before.say("ask me");
  const asked = await before.prompt();
  await server.kill();
  await server.revive();
  const after = await server.talk(before.sessionId);
  await after.answer(asked, { action: "submit", input: { answers: { "0": "Blue" } } });
  expect(await after.ended(2)).toBe("completed");
  const texts = model.requests.map((request) => latest(request).text);
  expect(texts.find((text) => text.includes("Blue"))).toContain("Which colour?");
});

test("a command that finished while nobody heard of it has its result", async () => {
  const { model } = server;
  let heard = () => {};
  const finished = new Promise<void>((resolve) => (heard = resolve));
  model.answer((request) => {
    const { results, text } = latest(request);
    if (text.includes("still there")) return says("Here.");
    if (results.length === 0) {
      return says(
        toolUse("toolu_k5", "Bash", {
          command: "touch begun; until [ -e go ]; do sleep 0.1; done; echo out",
        }),
      );
    }
    heard();
    return new Promise(() => {});
  });
  const before = await server.talk();
  await before.say("wait");
  await before.answer(await before.prompt(), { action: "approve" });
  await expect.poll(() => existsSync(join(server.work, "begun"))).toBe(true);
  process.kill(server.pid, "SIGSTOP");
  writeFileSync(join(server.work, "go"), "");
  await finished;
  await server.kill();
  await expect.poll(() => processesOf(server.folder)).toEqual([]);
  await server.revive();
  const after = await server.talk(before.sessionId);
  expect(await after.ended()).toBe("interrupted");
  expect(await after.result("toolu_k5")).toMatchObject({ ok: true, result: "out" });
  await after.say("still there?");
  expect(await after.ended(2)).toBe("completed");
  const texts = after.client
    .events()
    .flatMap(({ type, payload }: any) => (type === "text" ? [payload.text] : []));
  expect(texts).toEqual(["Here."]);
});

test("no process of Claude lives on when the server is killed while a command runs", async () => {
  server.model.answer(() =>
    says(toolUse("toolu_k4", "Bash", { command: "touch started; sleep 1000" })),
  );
  const talk = await server.talk();
  await talk.say("wait");
  await talk.answer(await talk.prompt(), { action: "approve" });
  await expect.poll(() => existsSync(join(server.work, "started"))).toBe(true);
  await server.kill();
  await expect.poll(() => processesOf(server.folder)).toEqual([]);
});
