import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { latest, says, toolUse } from "../../../src/testing/index.ts";
import { ClaudeHouse } from "./claude-house.ts";

const SESSIONS = 10;
const TURNS = 10;
let house: ClaudeHouse;
const warnings: string[] = [];
const hear = ({ name, message }: Error) => warnings.push(`${name}: ${message}`);
beforeAll(async () => {
  house = await ClaudeHouse.open();
  process.on("warning", hear);
});
afterAll(async () => {
  process.off("warning", hear);
  await house.close();
});

/** Processes that this one has started and that are still there. */
function children(): string[] {
  const all = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" });
  return all
    .split("\n")
    .filter((line) => line.trim().split(/\s+/)[1] === String(process.pid))
    .filter((line) => line.includes("claude"));
}

const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

test("a hundred turns leave no process, no timer and no listener behind", async () => {
  house.model.answer((request) =>
    latest(request).results.length > 0
      ? says("Done.")
      : says(toolUse(`toolu_${crypto.randomUUID()}`, "Bash", { command: "touch left" })),
  );
  const talks = await Promise.all(Array.from({ length: SESSIONS }, () => house.talk()));
  const before = timers();
  await Promise.all(
    talks.map(async (talk) => {
      for (let turn = 1; turn <= TURNS; turn++) {
        await talk.say(`turn ${turn}`);
        await talk.answer(await talk.prompt(turn), { action: turn % 2 === 0 ? "deny" : "approve" });
        expect(await talk.ended(turn)).toBe("completed");
      }
    }),
  );
  await expect.poll(children).toEqual([]);
  // The heart of the server beats, and so may one more timer at this very moment.
  await expect.poll(timers).toBeLessThanOrEqual(before + 1);
  expect(warnings.filter((one) => one.includes("MaxListeners"))).toEqual([]);
}, 300_000);
