import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeOpenai, latestInput, says, startFakeOpenai } from "../../../src/testing/index.ts";
import { MortalServer } from "../mortal-server.ts";
import type { Talk } from "../talk.ts";
import { processesOf } from "../processes.ts";
import { CODEX, runs } from "./codex-house.ts";

let server: MortalServer<FakeOpenai>;
beforeEach(async () => {
  const model = await startFakeOpenai();
  server = await MortalServer.start(model, "codex", (folder) => ({
    command: CODEX,
    env: model.codexEnv(folder),
  }));
});
afterEach(() => server.close());

const told = (talk: Talk) =>
  talk.client
    .events()
    .filter(({ type }) => ["text", "tool_call", "tool_result"].includes(type))
    .map(({ payload: { toolCallId, text, result } }: any) => toolCallId ?? text ?? result);

test("a server that is killed takes Codex along, and the next turn goes on with its conversation", async () => {
  const { model } = server;
  const before = await server.talk();
  model.answer([says("I wait.", runs("call_w", "sleep 876543"))]);
  await before.say("wait for me");
  await before.client.event("tool_call");
  await expect.poll(() => processesOf(server.folder).join("\n")).toContain("sleep 876543");
  await server.kill();
  await expect.poll(() => processesOf(server.folder)).toEqual([]);

  await server.revive();
  const after = await server.talk(before.sessionId);
  expect(await after.ended()).toBe("interrupted");
  model.answer([says("Here I am again.")]);
  await after.say("are you there?");
  expect(await after.ended(2)).toBe("completed");
  const sent = JSON.stringify(model.requests.at(-1)?.input);
  for (const words of ["wait for me", "I wait.", "are you there?"]) expect(sent).toContain(words);
  expect(told(after)).toEqual(["I wait.", "call_w", "call_w", "Here I am again."]);
});

test("what was done with the conversation in a terminal is in the log before the next turn, once", async () => {
  const { model, folder, work } = server;
  const talk = await server.talk();
  model.answer([says("First.")]);
  await talk.say("begin");
  expect(await talk.ended()).toBe("completed");

  model.answer([says("I look.", runs("call_t", "echo from the terminal")), says("First.")]);
  const args = ["exec", "--skip-git-repo-check", "resume", "--last", "in the terminal"];
  const options = { cwd: work, env: model.codexEnv(folder), stdio: "ignore" } as const;
  const [terminal] = await once(spawn(CODEX, args, options), "exit");
  expect(terminal).toBe(0);

  for (const [at, words] of ["Second.", "Third."].entries()) {
    model.answer([says(words)]);
    await talk.say(words);
    expect(await talk.ended(at + 2)).toBe("completed");
  }
  expect(told(talk)).toEqual([
    "First.",
    "_What Codex did without this session, from its own history:_",
    "> in the terminal",
    "I look.",
    "call_t",
    "call_t",
    "First.",
    "Second.",
    "Third.",
  ]);
  expect((await talk.result("call_t")).result).toMatchObject({ output: "from the terminal\n" });
  expect(latestInput(model.requests.at(-1)!).text).toContain("Third.");
});
