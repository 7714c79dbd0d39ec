import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { says, toolUse } from "../../src/testing/index.ts";
import { checkLog } from "../scenarios/always-true.ts";
import type { ClaudeHouse } from "./claude/claude-house.ts";
import type { Talk } from "./talk.ts";

interface House {
  house: ClaudeHouse;
  /** Made by what was planted, when it is run. */
  ran: string;
}

/** The person wants to be asked about these. */
export const ASK_RULE = "Bash(beckon choose:*)";

/** Programs that a name could lead to: in a folder, in its packages, and first on the PATH. */
export function plant(folder: string): { PATH: string; ran: string } {
  const ran = join(folder, "planted-ran");
  const places = [join(folder, "work"), join(folder, "work", "node_modules", ".bin")];
  for (const place of places) {
    mkdirSync(place, { recursive: true });
    for (const name of ["beckon", "node"]) {
      writeFileSync(join(place, name), `#!/bin/sh\necho planted >> "${ran}"\n`);
      chmodSync(join(place, name), 0o755);
    }
  }
  return { PATH: [...places, process.env["PATH"]].join(":"), ran };
}

/** A Claude, by whatever way, wants to run a command that can do nothing but ask. */
export function askingOnceTests(open: () => Promise<House>): void {
  let house: ClaudeHouse;
  let ran: string;
  beforeAll(async () => {
    ({ house, ran } = await open());
  });
  afterAll(() => house.close());

  async function run(id: string, input: object, settings = {}): Promise<Talk> {
    const talk = await house.talk({ permissionMode: "default", ...settings });
    house.model.answer([says(toolUse(id, "Bash", input)), says("Done.")]);
    await talk.say("ask somebody");
    return talk;
  }

  async function logOf({ sessionId }: Talk) {
    const { body } = await house.api("GET", `/sessions/${sessionId}/events`);
    checkLog(body.events);
    return body.events as { type: string }[];
  }

  test.each([
    [
      "toolu_o1",
      `beckon ask "What's the colour?"`,
      { action: "submit", input: { answer: "Blue" } },
    ],
    ["toolu_o2", String.raw`beckon confirm 'What'\''s the colour?'`, { action: "approve" }],
  ])("is asked one thing, in the place of its call (%s): %s", async (id, command, answer) => {
    const talk = await run(id, { command, description: "Asks" });
    const request = await talk.prompt();
    const call = await talk.client.event("tool_call");
    expect(call.payload).toMatchObject({ toolCallId: id, input: { command } });
    expect(request).toMatchObject({
      turnId: call.turnId,
      responseId: call.responseId,
      payload: { toolCallId: id, prompt: "What's the colour?", anchored: true },
    });
    await talk.answer(request, answer);
    expect(await talk.result(id)).toMatchObject({ ok: true, authorizedBy: "tool" });
    expect(await talk.ended()).toBe("completed");
    const log = await logOf(talk);
    const count = (wanted: string) => log.filter(({ type }) => type === wanted).length;
    expect([count("tool_call"), count("interaction_request")]).toEqual([1, 1]);
    expect(existsSync(ran)).toBe(false);
  });

  test.each([
    ["toolu_p1", { command: `beckon ask "Which colour?"; true` }, {}],
    ["toolu_p2", { command: "beckon ask colour", run_in_background: true }, {}],
    // In a folder that holds what would be run, whoever may change files there may change that.
    ["toolu_p3", { command: "beckon ask colour" }, { cwd: process.cwd() }],
    // The person's own rule is that this be asked about.
    ["toolu_p5", { command: "beckon choose colour red blue" }, {}],
    ["toolu_p4", { command: "beckon call nobody knows '{}'" }, {}],
  ])("asks whether it may run where it might do more: %s", async (id, input, settings) => {
    const talk = await run(id, input, settings);
    const request = await talk.prompt();
    expect(request.payload).toMatchObject({
      toolCallId: id,
      toolName: "Bash",
      interactionType: "approval",
      toolInput: input,
    });
    await talk.answer(request, { action: "deny" });
    expect(await talk.ended()).toBe("completed");
    expect(existsSync(ran)).toBe(false);
  });
}
