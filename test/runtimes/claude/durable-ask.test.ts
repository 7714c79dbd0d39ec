import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  type FakeAnthropic,
  latest,
  says,
  startFakeAnthropic,
  toolUse,
} from "../../../src/testing/index.ts";
import { MortalServer } from "../mortal-server.ts";
import { ClaudeHouse, COLOUR, SDK_PATH } from "./claude-house.ts";

/** Processes of Claude Code that were started by `pid`. */
function claudes(pid: number): string[] {
  const all = execFileSync("ps", ["-eo", "ppid=,args="], { encoding: "utf8" });
  return all
    .split("\n")
    .filter((line) => line.trim().startsWith(`${pid} `) && line.includes("claude"));
}

describe("where asking holds no process", () => {
  let house: ClaudeHouse;
  beforeAll(async () => {
    house = await ClaudeHouse.open({ durableAsk: true });
  });
  afterAll(() => house.close());

  test("a call waits without one, and goes on as it was approved", async () => {
    const talk = await house.talk();
    house.model.answer([
      says("First.", toolUse("toolu_w1", "Bash", { command: "mkdir waited" })),
      says(toolUse("toolu_w2", "AskUserQuestion", { questions: [COLOUR] })),
      says("All done."),
    ]);
    await talk.say("go");
    const first = await talk.prompt();
    await expect.poll(() => claudes(process.pid)).toEqual([]);
    await talk.answer(first, { action: "approve", updatedInput: { command: "mkdir edited" } });
    const second = await talk.prompt(2);
    await expect.poll(() => claudes(process.pid)).toEqual([]);
    await talk.answer(second, { action: "submit", input: { answers: { "0": "Blue" } } });
    expect(await talk.ended()).toBe("completed");
    expect(existsSync(join(house.work, "edited"))).toBe(true);
    expect(existsSync(join(house.work, "waited"))).toBe(false);
    expect(latest(house.model.requests.at(-1)!).results[0]?.text).toContain('="Blue"');
    const texts = talk.client
      .events()
      .flatMap((one) => (one.type === "text" ? one.payload.text : []));
    expect(texts).toEqual(["First.", "All done."]);
  });

  test("who denies is heard, and deny and stop leaves a conversation that goes on", async () => {
    const talk = await house.talk();
    house.model.answer((request) => {
      const { results, text } = latest(request);
      if (text.includes("next")) return says("I hear you.");
      if (results.length === 0) return says(toolUse("toolu_w3", "Bash", { command: "mkdir no" }));
      return says(toolUse("toolu_w4", "Bash", { command: "mkdir never" }));
    });
    await talk.say("go");
    await talk.answer(await talk.prompt(), { action: "deny", reason: "Not here." });
    const second = await talk.prompt(2);
    const told = house.model.requests.flatMap((one) => latest(one).results);
    expect(told.find(({ toolUseId }) => toolUseId === "toolu_w3")?.text).toContain("Not here.");
    await talk.answer(second, { action: "deny", stop: true });
    expect(await talk.ended()).toBe("cancelled");
    await talk.say("next");
    expect(await talk.ended(2)).toBe("completed");
    expect(existsSync(join(house.work, "never"))).toBe(false);
  });

  test("what is said and set while a call waits without a process holds for what follows", async () => {
    const talk = await house.talk({ permissionMode: "acceptEdits" });
    const file_path = join(house.work, "unasked.txt");
    house.model.answer([
      says(toolUse("toolu_w8", "AskUserQuestion", { questions: [COLOUR] })),
      says(toolUse("toolu_w9", "Write", { file_path, content: "x" })),
      says("First done."),
      says("Second done."),
    ]);
    await talk.say("go");
    const first = await talk.prompt();
    await expect.poll(() => claudes(process.pid)).toEqual([]);
    await house.api("PATCH", `/sessions/${talk.sessionId}`, { permissionMode: "default" });
    await talk.say("and then this", { delivery: "steer" });
    await talk.answer(first, { action: "submit", input: { answers: { "0": "Blue" } } });
    const second = await Promise.race([talk.prompt(2), talk.ended()]);
    expect(second).toMatchObject({ payload: { toolName: "Write" } });
    expect(existsSync(file_path)).toBe(false);
    await talk.answer(await talk.prompt(2), { action: "approve" });
    expect(await talk.ended(2)).toBe("completed");
    expect(JSON.stringify(house.model.requests)).toContain("and then this");
  });

  test("of two calls made together none is lost: both are asked about live", async () => {
    const talk = await house.talk();
    house.model.answer([
      says(
        toolUse("toolu_w5", "Bash", { command: "mkdir both1" }),
        toolUse("toolu_w6", "Bash", { command: "mkdir both2" }),
      ),
      says("Both."),
    ]);
    await talk.say("go");
    await talk.answer(await talk.prompt(), { action: "approve" });
    await talk.answer(await talk.prompt(2), { action: "approve" });
    expect(await talk.ended()).toBe("completed");
    for (const name of ["both1", "both2"]) expect(existsSync(join(house.work, name))).toBe(true);
  });
});

describe("with a server that is killed", () => {
  let server: MortalServer<FakeAnthropic>;
  beforeEach(async () => {
    const model = await startFakeAnthropic();
    server = await MortalServer.start(model, "claude", (folder) => ({
      sdkPath: SDK_PATH,
      settingSources: [],
      durableAsk: true,
      env: model.env(folder),
    }));
  });
  afterEach(() => server.close());

  test("the same turn goes on with the answer after kill -9, and the model sees no break", async () => {
    server.model.answer([
      says("Before.", toolUse("toolu_w7", "Bash", { command: "mkdir survived" })),
      says("After."),
    ]);
    const before = await server.talk();
    await before.say("go");
    const asked = await before.prompt();
    await expect.poll(() => claudes(server.pid)).toEqual([]);
    await server.kill();
    await server.revive();
    const after = await server.talk(before.sessionId);
    await after.answer(asked, { action: "approve" });
    expect(await after.ended()).toBe("completed");
    expect(existsSync(join(server.work, "survived"))).toBe(true);
    expect(after.types().filter((type) => type === "turn_start")).toHaveLength(1);
    expect((await after.result("toolu_w7")).ok).toBe(true);
    const texts = after.client
      .events()
      .flatMap((one) => (one.type === "text" ? one.payload.text : []));
    expect(texts).toEqual(["Before.", "After."]);
  });

  test("a server that dies after the call has run ends the turn all the same", async () => {
    let dead = false;
    server.model.answer((request) => {
      if (latest(request).results.length === 0 && !dead) {
        return says(toolUse("toolu_w10", "Bash", { command: "mkdir ran" }));
      }
      return dead ? says("After.") : new Promise<never>(() => {});
    });
    const before = await server.talk();
    await before.say("go");
    await before.answer(await before.prompt(), { action: "approve" });
    await before.result("toolu_w10");
    await server.kill();
    dead = true;
    await server.revive();
    const after = await server.talk(before.sessionId);
    expect(await after.ended()).toBe("interrupted");
    expect(after.types().filter((type) => type === "tool_result")).toHaveLength(1);
    await after.say("next");
    expect(await after.ended(2)).toBe("completed");
  });
});
