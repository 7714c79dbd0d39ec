import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { says, toolUse } from "../../../src/testing/index.ts";
import { CodeHouse } from "./code-house.ts";

let house: CodeHouse;
beforeAll(async () => {
  house = await CodeHouse.open();
});
beforeEach(() => house.connect("--write"));
afterAll(() => house.close());

test("what `beckon connect` wrote asks people, in the name of a machine", async () => {
  house.model.answer([says(toolUse("toolu_c1", "Bash", { command: "mkdir one" })), says("Done.")]);
  const ended = house.code();
  const prompt = await house.answer({ action: "approve" });
  await ended;
  expect(house.made("one")).toBe(true);
  expect(house.received("toolu_c1")).toMatchObject({ isError: false });
  const { body } = await house.server.http("GET", `/api/sessions/${prompt.sessionId}`);
  expect(body).toMatchObject({ title: "Claude Code in work", cwd: house.work });
  const { status } = await house.server.http(
    "GET",
    `/api/sessions/${prompt.sessionId}`,
    undefined,
    {
      authorization: `Bearer ${house.hookToken}`,
    },
  );
  expect(status).toBe(200);
});

test("the model reads why a person said no", async () => {
  house.model.answer([says(toolUse("toolu_c2", "Bash", { command: "mkdir two" })), says("I see.")]);
  const ended = house.code();
  await house.answer({ action: "deny", reason: "Two is too many." });
  await ended;
  expect(house.made("two")).toBe(false);
  expect(house.received("toolu_c2")?.text).toContain("Two is too many.");
});

test("a server that is killed while people think is asked again when it is back", async () => {
  house.model.answer([
    says(toolUse("toolu_c3", "Bash", { command: "mkdir three" })),
    says("Done."),
  ]);
  const ended = house.code();
  const { id } = await house.watch.prompt();
  await house.server.end("SIGKILL");
  await house.start();
  await house.respond(id, { action: "approve" });
  await ended;
  expect(house.made("three")).toBe(true);
  expect(house.received("toolu_c3")).toMatchObject({ isError: false });
  const { body } = await house.server.http("GET", "/api/interactions?status=pending");
  expect(body.interactions).toEqual([]);
});

test("a server that stops in good order decides nothing meanwhile", async () => {
  house.model.answer([
    says(toolUse("toolu_c4", "Bash", { command: "mkdir four" })),
    says("I see."),
  ]);
  const ended = house.code();
  const { id } = await house.watch.prompt();
  expect(await house.server.end("SIGTERM")).toBe(0);
  await house.start();
  await house.respond(id, { action: "deny", reason: "Not four." });
  await ended;
  expect(house.made("four")).toBe(false);
  expect(house.received("toolu_c4")?.text).toContain("Not four.");
});

test("time that runs out is told as such, and nothing runs", async () => {
  await house.connect("--write", "--timeout", "1s");
  house.model.answer([
    says(toolUse("toolu_c5", "Bash", { command: "mkdir five" })),
    says("I see."),
  ]);
  await house.code();
  expect(house.made("five")).toBe(false);
  expect(house.received("toolu_c5")?.text).toContain("Nobody answered within 1 second");
});

test("with the server away nothing runs that is guarded, and what else would ask does not", async () => {
  await house.connect("--write", "--guard", "Bash");
  await house.server.end("SIGTERM");
  house.model.answer([
    says(toolUse("toolu_c6", "Bash", { command: "echo would be let run" })),
    says(toolUse("toolu_c7", "Write", { file_path: join(house.work, "note"), content: "hi" })),
    says("I see."),
  ]);
  const { permission_denials: denials } = await house.code();
  await house.start();
  expect(house.received("toolu_c6")).toMatchObject({ isError: true });
  expect(house.received("toolu_c6")?.text).toContain("Nobody could be asked, so this did not run.");
  expect(house.received("toolu_c7")).toMatchObject({ isError: true });
  expect(house.made("note")).toBe(false);
  expect(denials.map((one) => one.tool_use_id)).toContain("toolu_c7");
});

test("taken out again, nobody is asked here", async () => {
  await house.connect("--remove");
  expect(readFileSync(join(house.folder, ".claude", "settings.json"), "utf8")).not.toContain(
    "hook",
  );
  house.model.answer([
    says(toolUse("toolu_c8", "Bash", { command: "mkdir eight" })),
    says("I see."),
  ]);
  await house.code();
  expect(house.received("toolu_c8")?.text).toContain("needs approval");
  const { body } = await house.server.http("GET", "/api/interactions?status=pending");
  expect(body.interactions).toEqual([]);
});
