import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { says, toolUse } from "../../../src/testing/index.ts";
import { ClaudeHouse } from "./claude-house.ts";

let house: ClaudeHouse;
let other: string;
beforeAll(async () => {
  house = await ClaudeHouse.open();
  other = join(house.folder, "other");
  mkdirSync(other);
});
afterAll(() => house.close());

const write = (id: string, folder: string, name: string) =>
  says(toolUse(id, "Write", { file_path: join(folder, name), content: "x" }));

test("who always lets Claude write in a folder has let it write nowhere else", async () => {
  const talk = await house.talk();
  house.model.answer([
    write("toolu_g1", house.work, "a.txt"),
    write("toolu_g2", house.work, "b.txt"),
    says("Done."),
  ]);
  await talk.say("write");
  const request = await talk.prompt();
  expect(request.payload.approvalCovers?.always).toEqual([
    `Changes by Write to files in ${house.work}, in every session, until you revoke it.`,
  ]);
  await talk.answer(request, { action: "approve", approvalScope: "always" });
  expect(await talk.ended()).toBe("completed");
  expect(existsSync(join(house.work, "b.txt"))).toBe(true);
  expect((await talk.result("toolu_g2")).authorizedBy).toMatch(/^grant:/);

  const elsewhere = await house.talk({ cwd: other });
  house.model.answer([write("toolu_g3", other, "c.txt"), says("I see.")]);
  await elsewhere.say("write there");
  await elsewhere.answer(await elsewhere.prompt(), { action: "deny" });
  expect(await elsewhere.ended()).toBe("completed");
  expect(existsSync(join(other, "c.txt"))).toBe(false);
  const { body } = await house.api("GET", `/sessions/${talk.sessionId}`);
  expect(body.permissionMode).toBe("default");
});

test("of a compound command each rule is remembered, so a part of it is not asked about again", async () => {
  const talk = await house.talk();
  house.model.answer([
    says(toolUse("toolu_g4", "Bash", { command: "node -p 1 && npm --version" })),
    says(toolUse("toolu_g5", "Bash", { command: "npm --version" })),
    says(toolUse("toolu_g6", "Bash", { command: "node -p 1" })),
    says("Done."),
  ]);
  await talk.say("run");
  const request = await talk.prompt();
  const covers = request.payload.approvalCovers?.session ?? [];
  expect(covers.length).toBeGreaterThan(1);
  for (const line of covers) expect(line).toContain(`in ${house.work}, in this session.`);
  await talk.answer(request, { action: "approve", approvalScope: "session" });
  expect(await talk.ended()).toBe("completed");
  const { body } = await house.api("GET", "/grants");
  const keys = body.grants.map(({ key }: any) => key);
  expect(keys.filter((key: string) => key.startsWith("Bash("))).toHaveLength(covers.length);
  for (const id of ["toolu_g5", "toolu_g6"]) {
    expect((await talk.result(id)).authorizedBy).toMatch(/^grant:/);
  }
});
