import { afterEach, beforeEach, expect, test } from "vitest";
import { Clone } from "./clone.ts";

/* examples/shell is run by the very command of its README. */

let clone: Clone;
beforeEach(() => {
  clone = new Clone();
});
afterEach(() => clone.remove());

test("the script asks twice, goes on where it was stopped, and ends with its server", async () => {
  const [command] = clone.blocks("examples/shell/README.md");
  const first = clone.run(`exec ${command}`);
  await first.signIn();
  const where = await first.prompt();
  expect(where.request.prompt).toBe("Where should 1.2.0 go?");
  await first.answer(where, { action: "submit", input: { answer: "staging" } });
  await first.prints(/Waiting[^]*Waiting/);
  const [, again = ""] = /To go on from there: (.*)\n/.exec(first.said) ?? [];
  expect(await first.interrupt()).not.toBe(0);

  const second = clone.run(again);
  await second.signIn();
  const may = await second.prompt();
  expect(may.request.prompt).toBe("Deploy 1.2.0 to staging?");
  await second.answer(may, { action: "approve" });
  await second.prints(/^deploying 1\.2\.0 to staging\n/m);
  expect(await second.end()).toBe(0);
  await expect(second.http("GET", "/api/health")).rejects.toThrow("fetch failed");
}, 240_000);
