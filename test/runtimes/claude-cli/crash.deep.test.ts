import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  type FakeAnthropic,
  latest,
  says,
  startFakeAnthropic,
  toolUse,
} from "../../../src/testing/index.ts";
import { findClaudeCode } from "../claude-code/code-house.ts";
import { MortalServer } from "../mortal-server.ts";
import { processesOf } from "../processes.ts";

let server: MortalServer<FakeAnthropic>;
beforeEach(async () => {
  const model = await startFakeAnthropic();
  server = await MortalServer.start(model, "claude-cli", (folder) => ({
    command: findClaudeCode(),
    settingSources: [],
    env: model.env(folder),
  }));
});
afterEach(() => server.close());

/** How Claude Code calls the one conversation that it has. */
function nativeSession(): string {
  const files = readdirSync(join(server.folder, ".claude", "projects"), {
    recursive: true,
  }) as string[];
  return basename(files.find((name) => name.endsWith(".jsonl")) ?? "", ".jsonl");
}

test("an approval given after kill -9 is adopted by the identical call, and nobody is asked twice", async () => {
  const { model } = server;
  const make = (nativeId: string) => says(toolUse(nativeId, "Bash", { command: "mkdir kept" }));
  model.answer((request) => {
    const { results, text } = latest(request);
    if (results.some(({ toolUseId }) => toolUseId === "toolu_k4")) return says("Done at last.");
    return make(text.includes("approved") ? "toolu_k4" : "toolu_k3");
  });
  const before = await server.talk();
  await before.say("make the folder");
  const asked = await before.prompt();
  await server.kill();
  await server.revive();
  const after = await server.talk(before.sessionId);
  expect(await after.prompt()).toEqual(asked);
  expect(await after.ended()).toBe("interrupted");
  await after.answer(asked, { action: "approve" });
  expect(await after.ended(2)).toBe("completed");
  expect(existsSync(join(server.work, "kept"))).toBe(true);
  expect(after.types().filter((type) => type === "interaction_request")).toHaveLength(1);
  expect(after.types().filter((type) => type === "tool_call")).toHaveLength(2);
});

test("when the server is killed Claude Code ends too, and the next turn goes on and tells what happened meanwhile", async () => {
  const { model } = server;
  model.answer((request) => {
    const { results, text } = latest(request);
    if (results.some(({ toolUseId }) => toolUseId === "toolu_k2")) return says("Looked around.");
    if (text.includes("look around")) {
      return says("Of course.", toolUse("toolu_k2", "Bash", { command: "echo around" }));
    }
    if (text.includes("again")) return says("Here again.");
    return says("I wait.", toolUse("toolu_k1", "Bash", { command: "touch started; sleep 300" }));
  });
  const before = await server.talk();
  await before.say("wait");
  await before.answer(await before.prompt(), { action: "approve" });
  await expect.poll(() => existsSync(join(server.work, "started"))).toBe(true);
  await server.kill();
  await expect.poll(() => processesOf(server.folder)).toEqual([]);

  const args = ["-p", "look around", "--setting-sources", "", "--resume", nativeSession()];
  const where = { cwd: server.work, env: model.env(server.folder) };
  const elsewhere = promisify(execFile)(findClaudeCode(), args, where);
  elsewhere.child.stdin?.end();
  expect((await elsewhere).stdout.trim()).toBe("Looked around.");

  await server.revive();
  const after = await server.talk(before.sessionId);
  expect(await after.ended()).toBe("interrupted");
  await after.say("here again?");
  expect(await after.ended(2)).toBe("completed");
  const said = JSON.stringify(model.requests.at(-1)?.messages);
  for (const words of ["wait", "Looked around.", "here again?"]) expect(said).toContain(words);
  const told = () =>
    after.client.events().flatMap(({ type, payload }: any) => {
      if (type === "text") return [payload.text];
      return type === "tool_call" ? [payload.toolCallId] : [];
    });
  const all = [
    "I wait.",
    "toolu_k1",
    "Said to Claude Code outside of Beckon:\n\n> look around",
    "Of course.",
    "toolu_k2",
    "Looked around.",
    "Here again.",
  ];
  expect(told()).toEqual(all);
  expect(await after.result("toolu_k2")).toMatchObject({ ok: true, result: "around" });
  await after.say("and again");
  expect(await after.ended(3)).toBe("completed");
  expect(told()).toEqual([...all, "Here again."]);
});
