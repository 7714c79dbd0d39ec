import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Clone } from "./clone.ts";

/* examples/embedded is run by the very commands of its README. */

let clone: Clone;
beforeEach(() => {
  clone = new Clone();
});
afterEach(() => clone.remove());

/** A command of the page, with a data directory of this test's own. */
function start(which: number) {
  const block = clone.blocks("examples/embedded/README.md")[which] ?? "";
  const command = block.replace("/tmp/beckon-note", join(clone.folder, "data"));
  return clone.run(`exec ${command}`, { keyboard: true });
}

test("the program asks in its own console, does what was allowed, and ends by itself", async () => {
  const [command] = clone.blocks("examples/embedded/README.md");
  expect(clone.blocks("docs/guide/embedding.md")).toContain(command);
  const program = start(0);
  await program.prints(/What should the note say\? $/);
  program.type("");
  await program.prints(/This is required\.\nWhat should the note say\? $/);
  program.type("Buy rope");
  await program.prints(/write_note would run with \{ text: 'Buy rope' \}\nAllow it\? \[y\/N\] $/);
  program.type("y");
  const [, file = ""] = await program.prints(/The note is in (\S+)\.\n/);
  expect(await program.end()).toBe(0);
  expect(readFileSync(file, "utf8")).toBe("Buy rope\n");
  expect(program.said).not.toContain("http");
});

test("what it was asked outlives it; others answer in the page, or look on by its directory", async () => {
  const first = start(1);
  await first.prints(/What should the note say\? $/);
  first.type("Sell rope");
  await first.prints(/Allow it\? \[y\/N\] $/);
  expect(await first.interrupt()).toBe(0);

  const second = start(1);
  await second.signIn();
  await second.prints(/text: 'Sell rope' \}\nAllow it\? \[y\/N\] $/);
  const joined = start(2);
  await joined.prints(/The server is at (http:\S+)\. What waits, by session:\nA note: 1\n/);
  expect(await joined.end()).toBe(0);

  await second.answer(await second.prompt(), { action: "deny", reason: "Keep it." });
  await second.prints(/This was answered elsewhere\.\n/);
  await second.prints(/Keep it\.\n/);
  expect(await second.end()).toBe(0);

  const alone = start(2);
  await alone.prints(/The server is here\. What waits, by session:\nA note: 0\n/);
  expect(await alone.end()).toBe(0);
  expect(existsSync(join(clone.folder, "data", "server.json"))).toBe(false);
}, 180_000);
