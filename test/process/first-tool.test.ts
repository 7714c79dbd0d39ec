import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Client } from "../scenarios/client.ts";
import { codeIn, readHere } from "../support/guide-folder.ts";
import { toPattern } from "../support/page-examples.ts";
import { Clone } from "./clone.ts";

const PAGE = "docs/guide/first-tool.md";

let clone: Clone;
beforeEach(() => {
  clone = new Clone();
});
afterEach(() => clone.remove());

test("docs/guide/first-tool.md makes a tool that asks, can be changed, and is tested", async () => {
  const page = await readHere(PAGE);
  const blocks = clone.blocks(PAGE);
  expect(blocks).toHaveLength(6);
  const [example = "", setPath = "", makeIt = "", serve = "", call = "", testIt = ""] = blocks;
  const [made = "", message = "", anew = ""] = codeIn(page, "text");

  const demo = clone.run(`exec ${example}`);
  await demo.signIn();
  await demo.prompt();
  expect(await demo.interrupt()).toBe(0);

  const making = clone.run(setPath + makeIt);
  expect(await making.end()).toBe(0);
  expect(making.printed).toMatch(toPattern(made));
  const inFolder = (name: string) => readFileSync(join(clone.folder, "my-notes", name), "utf8");
  expect(codeIn(page)).toEqual([
    await readHere("examples/ask-user/index.js"),
    inFolder("index.js"),
    inFolder("index.test.js"),
  ]);

  const server = clone.run(`${setPath} exec ${serve.trim()} --port 0`);
  await server.signIn();
  const token = readFileSync(join(clone.home, ".beckon", "token"), "utf8").trim();
  // A page that is open: without one, nobody is there to ask.
  const window = await Client.connect(server.url, token);
  await server.http("POST", "/api/sessions", {});
  await server.send(message.trim());
  await server.answer(await server.prompt(), { action: "submit", input: { note: "ok" } });
  await expect.poll(async () => (await server.prompt()).request.error).toBe("That is too short.");
  await server.answer(await server.prompt(), { action: "submit", input: { note: "soup" } });

  writeFileSync(
    join(clone.folder, "my-notes", "index.js"),
    inFolder("index.js").replace("A note about ", "What was it like: "),
  );
  await server.prints(new RegExp(anew.trim()));
  const script = clone.run(setPath + call);
  const changed = await server.prompt();
  expect(changed.request.prompt).toBe("What was it like: dinner");
  await server.answer(changed, { action: "submit", input: { note: "fish" } });
  expect(await script.end()).toBe(0);
  expect(JSON.parse(script.printed)).toEqual({ ok: true, note: "fish" });

  await window.close();
  const tested = clone.run(testIt);
  expect(await tested.end(), tested.said).toBe(0);
  expect(tested.said).toMatch(/pass 1\b/);
}, 180_000);
