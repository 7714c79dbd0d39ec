import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeOpenai, latestInput, says, startFakeOpenai } from "../../../src/testing/index.ts";
import { ServerProcess } from "../../process/server-process.ts";
import { Talk } from "../claude/claude-house.ts";
import { CODEX, processesOf, runs } from "./codex-house.ts";

let folder: string;
let model: FakeOpenai;
let server: ServerProcess;
let env: Record<string, string>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "beckon-codex-crash-"));
  for (const name of ["data", "work"]) mkdirSync(join(folder, name));
  model = await startFakeOpenai();
  env = model.codexEnv(folder);
  const settings = { agents: { codex: { command: CODEX, env } } };
  writeFileSync(join(folder, "data", "settings.json"), JSON.stringify(settings));
  server = await ServerProcess.start(join(folder, "data"));
});
afterEach(async () => {
  await server.end("SIGKILL");
  await model.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function talkTo(sessionId: string): Promise<Talk> {
  const client = await server.person();
  await client.subscribe(sessionId);
  return new Talk(client, sessionId);
}

async function newTalk(): Promise<Talk> {
  const body = { agent: "codex", cwd: join(folder, "work") };
  return talkTo((await server.http("POST", "/api/sessions", body)).body.id);
}

const told = (talk: Talk) =>
  talk.client
    .events()
    .filter(({ type }) => ["text", "tool_call", "tool_result"].includes(type))
    .map(({ payload: { toolCallId, text, result } }: any) => toolCallId ?? text ?? result);

test("a server that is killed takes Codex along, and the next turn goes on with its conversation", async () => {
  const before = await newTalk();
  model.answer([says("I wait.", runs("call_w", "sleep 876543"))]);
  await before.say("wait for me");
  await before.client.event("tool_call");
  expect(processesOf(folder).join("\n")).toContain("sleep 876543");
  await server.end("SIGKILL");
  await expect.poll(() => processesOf(folder), { timeout: 10_000 }).toEqual([]);

  server = await ServerProcess.start(join(folder, "data"));
  const after = await talkTo(before.sessionId);
  expect(await after.ended()).toBe("interrupted");
  model.answer([says("Here I am again.")]);
  await after.say("are you there?");
  expect(await after.ended(2)).toBe("completed");
  const sent = JSON.stringify(model.requests.at(-1)?.input);
  for (const words of ["wait for me", "I wait.", "are you there?"]) expect(sent).toContain(words);
  expect(told(after)).toEqual(["I wait.", "call_w", "call_w", "Here I am again."]);
});

test("what was done with the conversation in a terminal is in the log before the next turn, once", async () => {
  const talk = await newTalk();
  model.answer([says("First.")]);
  await talk.say("begin");
  expect(await talk.ended()).toBe("completed");

  model.answer([says("I look.", runs("call_t", "echo from the terminal")), says("First.")]);
  const args = ["exec", "--skip-git-repo-check", "resume", "--last", "in the terminal"];
  const options = { cwd: join(folder, "work"), env, stdio: "ignore" } as const;
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
