import { afterEach, beforeEach, expect, test } from "vitest";
import { Clone } from "./clone.ts";

let clone: Clone;
beforeEach(() => {
  clone = new Clone();
});
afterEach(() => clone.remove());

test("docs/guide/getting-started.md can be followed from its first line to its last", async () => {
  const blocks = clone.blocks("docs/guide/getting-started.md");
  expect(blocks).toHaveLength(8);
  const [start = "", ask = "", open = "", confirm = "", confirmAgain = ""] = blocks;
  const [kill = "", startAgain = "", setup = ""] = blocks.slice(5);

  const server = clone.run(start);
  await server.signIn();
  const [, another = ""] = await server.prints(/`(.* open)` prints a fresh address/);
  expect(open.trim()).toBe(another);

  const script = clone.run(ask);
  await server.answer(await server.prompt(), { action: "submit", input: { answer: "blue" } });
  await script.prints(/^blue\n/m);
  expect(await script.end()).toBe(0);

  const window = clone.run(open);
  await window.signIn();
  const painter = clone.run(confirm);
  const seen = await window.prompt();
  await window.answer(seen, { action: "approve" });
  await painter.prints(/^painting\n/m);
  await expect(server.answer(seen, { action: "deny" })).rejects.toThrow("already_answered");

  const patient = clone.run(confirmAgain);
  const { id } = await server.prompt();
  await patient.prints(/Waiting for an answer/);
  expect(await clone.run(kill).end()).toBe(0);
  await server.end();
  await patient.prints(/The server is away/);
  const again = clone.run(startAgain);
  await again.signIn();
  const kept = await again.prompt();
  expect(kept.id).toBe(id);
  await again.answer(kept, { action: "approve" });
  await patient.prints(/^painting again\n/m);

  const looking = clone.run(setup);
  await looking.prints(/^Agents on this machine:\n/m);
  await looking.prints(/^Beckon listens on http/m);
  expect(await looking.end()).toBe(0);
}, 180_000);
