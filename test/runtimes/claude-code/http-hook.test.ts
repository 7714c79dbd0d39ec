import { afterAll, beforeAll, expect, test } from "vitest";
import { says, toolUse } from "../../../src/testing/index.ts";
import { codeIn, readHere } from "../../support/guide-folder.ts";
import { CodeHouse } from "./code-house.ts";

let house: CodeHouse;
beforeAll(async () => {
  house = await CodeHouse.open();
  house.environment["BECKON_TOKEN"] = house.server.token;
});
afterAll(() => house.close());

const [shown = ""] = codeIn(await readHere("docs/guide/claude-code.md"), "json");

/** Claude Code itself posts to the server, with the settings that the guide shows. */
function code(event: "PermissionRequest" | "PreToolUse") {
  const hook = {
    ...JSON.parse(shown.replace("http://127.0.0.1:4780", house.server.url)),
    ...(event === "PreToolUse" ? { onFailure: "block" } : {}),
  };
  const settings = { hooks: { [event]: [{ matcher: "*", hooks: [hook] }] } };
  return house.code("--setting-sources", "", "--settings", JSON.stringify(settings));
}

test("what a person approved runs, and the model gets its result", async () => {
  house.model.answer([
    says(toolUse("toolu_h1", "Bash", { command: "mkdir one && echo made" })),
    says("Done."),
  ]);
  const ended = code("PermissionRequest");
  const prompt = await house.watch.prompt();
  expect(prompt).toMatchObject({
    toolName: "Bash",
    request: {
      toolInput: { command: "mkdir one && echo made" },
      approvalScopes: ["once", "session"],
      context: { cwd: house.work },
    },
  });
  expect(house.made("one")).toBe(false);
  await house.respond(prompt.id, { action: "approve" });
  expect((await ended).terminal_reason).toBe("completed");
  expect(house.made("one")).toBe(true);
  expect(house.received("toolu_h1")).toMatchObject({ isError: false });
  expect(house.received("toolu_h1")?.text).toContain("made");
});

test("what a person edited is what runs", async () => {
  house.model.answer([
    says(toolUse("toolu_h2", "Bash", { command: "mkdir drawer" })),
    says("Done."),
  ]);
  const ended = code("PermissionRequest");
  await house.answer({ action: "approve", updatedInput: { command: "mkdir shelf" } });
  await ended;
  expect([house.made("drawer"), house.made("shelf")]).toEqual([false, true]);
});

test("for the session is asked once", async () => {
  house.model.answer([
    says(toolUse("toolu_h3", "Bash", { command: "mkdir first" })),
    says(toolUse("toolu_h4", "Bash", { command: "mkdir second" })),
    says("Done."),
  ]);
  const ended = code("PermissionRequest");
  const { request } = await house.answer({ action: "approve", approvalScope: "session" });
  expect(request.approvalCovers.session.join(" ")).toContain(house.work);
  await ended;
  expect([house.made("first"), house.made("second")]).toEqual([true, true]);
});

test("what a person denied does not run, and the model reads the reason", async () => {
  house.model.answer([says(toolUse("toolu_h5", "Bash", { command: "mkdir two" })), says("I see.")]);
  const ended = code("PermissionRequest");
  await house.answer({ action: "deny", reason: "Use the shelf." });
  expect((await ended).permission_denials).toMatchObject([{ tool_use_id: "toolu_h5" }]);
  expect(house.received("toolu_h5")).toMatchObject({ isError: true });
  expect(house.received("toolu_h5")?.text).toContain("Use the shelf.");
  expect(house.made("two")).toBe(false);
});

test("deny and stop ends the turn, and the model says no more", async () => {
  const before = house.model.requests.length;
  house.model.answer([says(toolUse("toolu_h6", "Bash", { command: "mkdir three" }))]);
  const ended = code("PermissionRequest");
  await house.answer({ action: "deny", reason: "Enough.", stop: true });
  await ended;
  expect(house.made("three")).toBe(false);
  expect(house.model.requests.length - before).toBe(1);
});

test("before every use, also of what Claude Code would let run", async () => {
  house.model.answer([
    says(toolUse("toolu_h7", "Bash", { command: "echo quiet" })),
    says(toolUse("toolu_h8", "Bash", { command: "echo loud" })),
    says("Done."),
  ]);
  const ended = code("PreToolUse");
  await house.answer({ action: "approve" });
  await house.answer({ action: "deny", reason: "Not so loud." });
  await ended;
  expect(house.received("toolu_h7")?.text).toContain("quiet");
  expect(house.received("toolu_h8")?.text).toContain("Not so loud.");
});

test("a credential that is not good lets nothing run before every use", async () => {
  house.model.answer([says(toolUse("toolu_h9", "Bash", { command: "echo hi" })), says("I see.")]);
  const hook = {
    type: "http",
    url: `${house.server.url}/api/hooks/claude`,
    headers: { Authorization: "Bearer nobody" },
    onFailure: "block",
  };
  const settings = { hooks: { PreToolUse: [{ matcher: "*", hooks: [hook] }] } };
  await house.code("--setting-sources", "", "--settings", JSON.stringify(settings));
  expect(house.received("toolu_h9")).toMatchObject({ isError: true });
});
