import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { says, toolUse } from "../../../src/testing/index.ts";
import { CliHouse } from "./cli-house.ts";

let house: CliHouse;
beforeAll(async () => {
  house = await CliHouse.openWith();
});
afterAll(() => house.close());

test("the command of Claude Code has its edits shown too, also one that is too large for its event", async () => {
  const talk = await house.talk();
  const path = join(house.work, "price.ts");
  const before = "export const price = 10;\n";
  const large = Array.from({ length: 3_000 }, (_, at) => `line ${at} of a long file\n`).join("");
  writeFileSync(path, before);
  house.model.answer([
    says(toolUse("d_read", "Read", { file_path: path })),
    says(toolUse("d_edit", "Edit", { file_path: path, old_string: "10", new_string: "12" })),
    says(toolUse("d_write", "Write", { file_path: path, content: large })),
    says("Done."),
  ]);
  await talk.say("change it");
  const asked = await talk.prompt();
  const edited = before.replace("10", "12");
  expect(asked.payload.changes).toEqual([{ path, kind: "edit", oldText: before, newText: edited }]);
  await talk.answer(asked, { action: "approve" });
  const over = await talk.prompt(2);
  const changes = [{ path, kind: "edit", oldText: edited, newText: large }];
  expect(over.payload.changes).toBeUndefined();
  expect(over.payload.changesBytes).toBe(JSON.stringify(changes).length);
  const { body } = await house.api("GET", `/interactions/${over.payload.interactionId}`);
  expect(body.request.changes).toEqual(changes);
  await talk.answer(over, { action: "approve" });
  expect(await talk.ended()).toBe("completed");
  expect(readFileSync(path, "utf8")).toBe(large);
});

test("what Claude sets itself to do comes as calls that are lists", async () => {
  const talk = await house.talk({ model: "claude-sonnet-4-5" });
  house.model.answer([
    says(toolUse("d_one", "TaskCreate", { subject: "Look", description: "Well" })),
    says(toolUse("d_two", "TaskUpdate", { taskId: "1", status: "completed" })),
    says("Done."),
  ]);
  await talk.say("plan it");
  expect(await talk.ended()).toBe("completed");
  expect(await talk.result("d_one")).toMatchObject({ ok: true });
  expect(await talk.result("d_two")).toMatchObject({ ok: true });
});
