import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { latest, says, toolUse } from "../../../src/testing/index.ts";
import { ClaudeHouse } from "./claude-house.ts";

let house: ClaudeHouse;
beforeAll(async () => {
  house = await ClaudeHouse.open();
});
afterAll(() => house.close());

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("a person sees what an edit and a write do to a file, and the log what was done", async () => {
  const talk = await house.talk();
  const path = join(house.work, "price.ts");
  const before = "export const price = 10;\nexport const name = 1;\n";
  const edited = before.replace("10", "12");
  const written = edited.replace("1;\n", "2;\n");
  writeFileSync(path, before);
  writeFileSync(join(house.work, "p.png"), Buffer.from(PNG, "base64"));
  house.model.answer([
    says(
      toolUse("c_read", "Read", { file_path: path }),
      toolUse("c_image", "Read", { file_path: join(house.work, "p.png") }),
    ),
    says(toolUse("c_edit", "Edit", { file_path: path, old_string: "10", new_string: "12" })),
    says(toolUse("c_write", "Write", { file_path: path, content: written })),
    says(toolUse("c_deny", "Write", { file_path: path, content: "gone\n" })),
    says(toolUse("c_fail", "Bash", { command: "ls nowhere" })),
    says("Done."),
  ]);
  await talk.say("change it");

  const asked = await talk.prompt();
  expect(asked.payload.changes).toEqual([{ path, kind: "edit", oldText: before, newText: edited }]);
  expect(readFileSync(path, "utf8")).toBe(before);
  await talk.answer(asked, { action: "approve" });

  const over = await talk.prompt(2);
  expect(over.payload.changes).toEqual([{ path, kind: "edit", oldText: edited, newText: written }]);
  await talk.answer(over, { action: "approve" });
  const denied = await talk.prompt(3);
  await talk.answer(denied, { action: "deny", reason: "Keep it." });
  expect(await talk.ended()).toBe("completed");
  expect(readFileSync(path, "utf8")).toBe(written);

  const updates = talk.client
    .events()
    .flatMap(({ type, payload }) => (type === "tool_call_update" ? [payload] : []));
  const done = updates.filter(({ changes }) => changes?.[0]?.diff !== undefined);
  expect(done.map(({ toolCallId, changes }) => [toolCallId, changes?.[0]?.diff])).toEqual([
    ["c_edit", expect.stringMatching(/^@@ -1,2 \+1,2 @@\n-.*10;\n\+.*12;\n .*$/)],
    ["c_write", expect.stringMatching(/^@@ -1,2 \+1,2 @@\n .*\n-.*1;\n\+.*2;$/)],
  ]);
  expect(await talk.result("c_deny")).toMatchObject({
    ok: false,
    error: { code: "tool_denied", message: "Keep it." },
  });
  const received = house.model.requests.flatMap((request) => latest(request).results);
  expect(received.find(({ toolUseId }) => toolUseId === "c_deny")?.text).toContain("Keep it.");
  expect((await talk.result("c_image")).result).toEqual({
    content: [{ type: "image", mimeType: "image/png", data: PNG }],
  });
  expect((await talk.result("c_fail")).error?.message).toMatch(/^Exit code \d+\n/);
  const { model, usage } = (await talk.client.event("turn_end")).payload;
  expect(model).toMatch(/^claude-/);
  // The scripted model says that each of its six replies took ten tokens and gave ten.
  expect(usage).toMatchObject({ input: 60, output: 60 });
  expect(usage?.cost).toBeGreaterThan(0);
});

test("what is done without being asked about is told too, and a second turn counts its own", async () => {
  const talk = await house.talk({ permissionMode: "acceptEdits" });
  const path = join(house.work, "new.ts");
  house.model.answer([
    says(toolUse("u_write", "Write", { file_path: path, content: "one\n" })),
    says("Done."),
  ]);
  await talk.say("write it");
  expect(await talk.ended()).toBe("completed");
  const told = await talk.client.event("tool_call_update");
  expect(told.payload).toEqual({
    toolCallId: "u_write",
    changes: [{ path, kind: "add", newText: "one\n" }],
  });
  house.model.answer([says("Yes.")]);
  await talk.say("good?");
  expect(await talk.ended(2)).toBe("completed");
  const [first, second] = [
    await talk.client.event("turn_end"),
    await talk.client.event("turn_end", 2),
  ];
  expect(first.payload.usage).toMatchObject({ input: 20, output: 20 });
  expect(second.payload.usage).toMatchObject({ input: 10, output: 10 });
});
