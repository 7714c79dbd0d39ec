import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { says, toolUse } from "../../../src/testing/index.ts";
import { CliHouse } from "./cli-house.ts";

let house: CliHouse;
beforeAll(async () => {
  house = await CliHouse.openWith(() => ({ settingSources: ["user"] }));
});
afterAll(() => house.close());

/** Asks here from Claude Code's own settings, as after `beckon connect claude --write`. */
function connect(event: "PermissionRequest" | "PreToolUse"): void {
  const hook = {
    type: "http",
    url: `${house.url}/api/hooks/claude`,
    headers: { Authorization: "Bearer $BECKON_TOKEN" },
    allowedEnvVars: ["BECKON_TOKEN"],
    timeout: 60,
  };
  const hooks = { [event]: [{ matcher: "*", hooks: [hook] }] };
  mkdirSync(join(house.folder, ".claude"), { recursive: true });
  writeFileSync(join(house.folder, ".claude", "settings.json"), JSON.stringify({ hooks }));
}

test("who connected Claude Code by its hooks as well is asked once", async () => {
  connect("PermissionRequest");
  const talk = await house.talk();
  house.model.answer([says(toolUse("toolu_o1", "Bash", { command: "mkdir one" })), says("Done.")]);
  await talk.say("go");
  await talk.answer(await talk.prompt(), { action: "approve" });
  expect(await talk.ended()).toBe("completed");
  expect(talk.types().filter((type) => type === "interaction_request")).toHaveLength(1);
  expect((await talk.result("toolu_o1")).ok).toBe(true);
});

test("what is guarded by a hook is asked in the block of its call", async () => {
  connect("PreToolUse");
  const talk = await house.talk();
  house.model.answer([says(toolUse("toolu_o2", "Bash", { command: "echo hi" })), says("Done.")]);
  await talk.say("go");
  const asked = await talk.prompt();
  expect(asked.payload.toolCallId).toBe("toolu_o2");
  await talk.answer(asked, { action: "deny", reason: "Not so loud." });
  expect(await talk.ended()).toBe("completed");
  expect((await talk.result("toolu_o2")).ok).toBe(false);
  expect(talk.types().filter((type) => type === "tool_call")).toHaveLength(1);
});
