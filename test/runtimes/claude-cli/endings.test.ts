import { chmodSync, existsSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { says, toolUse } from "../../../src/testing/index.ts";
import { findClaudeCode } from "../claude-code/code-house.ts";
import { CliHouse } from "./cli-house.ts";
import { processesOf } from "../processes.ts";

let house: CliHouse;
let claude: string;
beforeEach(async () => {
  house = await CliHouse.openWith((folder) => ({ command: join(folder, "bin-of-claude") }));
  claude = join(house.folder, "bin-of-claude");
});
afterEach(() => house.close());

test("a turn that is cancelled while a command runs leaves no process, and nothing is told twice", async () => {
  symlinkSync(findClaudeCode(), claude);
  const talk = await house.talk();
  const command = "touch started; sleep 300";
  house.model.answer([
    says("I wait.", toolUse("toolu_e1", "Bash", { command })),
    says("Here I am."),
  ]);
  await talk.say("wait");
  await talk.answer(await talk.prompt(), { action: "approve" });
  await expect.poll(() => existsSync(join(house.work, "started"))).toBe(true);
  expect(processesOf(house.folder)).not.toEqual([]);
  await talk.client.ask({ type: "cancel", sessionId: talk.sessionId });
  expect(await talk.ended()).toBe("cancelled");
  await expect.poll(() => processesOf(house.folder)).toEqual([]);
  await talk.say("still there?");
  expect(await talk.ended(2)).toBe("completed");
  expect(JSON.stringify(house.model.requests.at(-1)?.messages)).toContain(command);
  const texts = talk.client.events().filter(({ type }) => type === "text");
  expect(texts.map(({ payload }) => (payload as any).text)).toEqual(["I wait.", "Here I am."]);
  expect(talk.types().filter((type) => type === "tool_call")).toHaveLength(1);
});

test("without Claude Code the turn ends with a sentence that says how to install it", async () => {
  const talk = await house.talk();
  await talk.say("go");
  expect(await talk.ended()).toBe("failed");
  const { code, message } = (await talk.client.event("error")).payload;
  expect(code).toBe("agent_unavailable");
  expect(message).toContain(`there is no command "${claude}"`);
  expect(message).toContain("npm install -g @anthropic-ai/claude-code");
  expect(message).toContain('agents["claude-cli"].command');
});

test("what Claude Code said last is in the sentence when it ends without an answer", async () => {
  writeFileSync(claude, "#!/bin/sh\necho 'Please run /login first' >&2\nexit 3\n");
  chmodSync(claude, 0o755);
  const talk = await house.talk();
  await talk.say("go");
  expect(await talk.ended()).toBe("failed");
  const { message } = (await talk.client.event("error")).payload;
  expect(message).toBe(
    "Claude Code ended with exit code 3 before it had answered: Please run /login first",
  );
});

test("a folder that is not there is named", async () => {
  symlinkSync(findClaudeCode(), claude);
  const talk = await house.talk({ cwd: join(house.folder, "nowhere") });
  await talk.say("go");
  expect(await talk.ended()).toBe("failed");
  const { message } = (await talk.client.event("error")).payload;
  expect(message).toContain(join(house.folder, "nowhere"));
});
