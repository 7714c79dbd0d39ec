import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createBeckon } from "../../src/beckon.ts";
import { readHere } from "../support/guide-folder.ts";
import { InboxPerson } from "../support/inbox-person.ts";
import { Clone } from "./clone.ts";
import { BIN } from "./server-process.ts";

/* Each example is run by the very command of its README, and somebody answers what it asks. */

let clone: Clone;
beforeEach(() => {
  clone = new Clone();
});
afterEach(() => clone.remove());

/** Some shells stay around a command that is their last, and take the Ctrl+C for themselves. */
const alone = (block = "") => `exec ${block}`;

test("examples/ask-user asks, and tells what was answered; so does a server with its folder", async () => {
  const page = "examples/ask-user/README.md";
  const [example, serve] = clone.blocks(page);
  expect(await readHere(page)).toContain(await readHere("examples/ask-user/index.js"));

  const demo = clone.run(alone(example));
  await demo.signIn();
  await demo.answer(await demo.prompt(), { action: "submit", input: { answer: "Soup" } });
  await demo.prints(/ask_user_question returned \{"answer":"Soup"\}\n/);
  const [, again = ""] = await demo.prints(/ (\/call \S+ \{.*\})/);
  await demo.send(again);
  await demo.answer(await demo.prompt(), { action: "deny" });
  await demo.prints(/returned \{"declined":true\}\n/);
  expect(await demo.interrupt()).toBe(0);

  const server = clone.run(alone(serve));
  await server.signIn();
  const tools = await server.http<{ plugins: { id: string }[] }>("GET", "/api/plugins");
  expect(tools.plugins.map(({ id }) => id)).toContain("ask-user");
  expect(await server.interrupt()).toBe(0);
});

test("examples/approval-gate deletes what was approved, and nothing that was not", async () => {
  const [command] = clone.blocks("examples/approval-gate/README.md");
  expect(clone.blocks("docs/guide/approvals.md")[0]).toBe(command);
  const demo = clone.run(alone(command));
  await demo.signIn();
  const first = await demo.prompt();
  expect(first.request.toolInput).toEqual({ ending: ".log", files: ["build.log", "test.log"] });
  await demo.answer(first, { action: "deny", reason: "Not yet." });
  await demo.prints(/\(tool_denied\): Not yet\./);
  await demo.prints(/now: build\.log, notes\.txt, test\.log\n/);
  const [, file = ""] = await demo.prints(/touch (\S+)\n/);
  const [, message = ""] = await demo.prints(/ (\/call .*)\n/);
  const folder = dirname(file);

  // Edited: only what is left on the list.
  writeFileSync(file, "");
  await demo.send(message);
  const second = await demo.prompt();
  expect(second.request.toolInput).toMatchObject({ files: ["build.log", "new.log", "test.log"] });
  const updatedInput = { ending: ".log", files: ["new.log", "notes.txt", "../clean-up.js"] };
  await demo.answer(second, { action: "approve", updatedInput });
  await demo.prints(/returned \{"deleted":\["new\.log"\]\}\n/);
  expect(readdirSync(folder)).toEqual(["build.log", "notes.txt", "test.log"]);

  await demo.send(message);
  await demo.answer(await demo.prompt(), { action: "approve", approvalScope: "session" });
  await demo.prints(/now: notes\.txt\n/);

  // Approved for the session: the next one is gone without a question.
  writeFileSync(file, "");
  await demo.send(message);
  await demo.prints(/^clean_up returned \{"deleted":\["new\.log"\]\}\n/m);
  expect(readdirSync(folder)).toEqual(["notes.txt"]);
  expect(demo.said.match(/clean_up asks/g)).toHaveLength(3);

  // Until it is taken back, as the guide shows.
  const [, listGrants = "", revoke = ""] = clone.blocks("docs/guide/approvals.md");
  const data = /--data (\S+)/.exec(demo.said)?.[1];
  const here = `export PATH="$PWD/bin/path:$PATH" BECKON_DATA=${data}\n`;
  const list = clone.run(here + listGrants);
  const [, grant] = await list.prints(/^(\S+) +session .* clean_up +\.log$/m);
  expect(await clone.run(`${here}GRANT=${grant}\n${revoke}`).end()).toBe(0);
  await demo.send(message);
  await demo.prompt();

  expect(await demo.interrupt()).toBe(0);
  expect(existsSync(folder)).toBe(false);
});

test("the same as a plugin is held by a line of its manifest", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "beckon-files-"));
  writeFileSync(join(cwd, "a.txt"), "");
  const plugin = join(dirname(dirname(BIN)), "examples/approval-gate/as-plugin");
  const beckon = await createBeckon({ dataDir: ":memory:", plugins: [plugin] });
  try {
    const { url } = await beckon.listen({ host: "127.0.0.1", port: 0 });
    const person = await InboxPerson.connect(url, beckon.ownerToken);
    const headers = {
      authorization: `Bearer ${beckon.ownerToken}`,
      "content-type": "application/json",
    };
    const post = async (path: string, body: object, more = {}) => {
      const init = { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify(body) };
      return (await fetch(url + path, init)).json();
    };
    const { id } = await post("/api/sessions", { cwd });
    const remove = () =>
      post("/api/plugins/files/operations/delete", { files: ["a.txt"] }, { "x-session-id": id });

    const denied = remove();
    await person.say({ action: "deny" });
    expect(await denied).toMatchObject({ ok: false, code: "tool_denied" });
    expect(existsSync(join(cwd, "a.txt"))).toBe(true);

    const approved = remove();
    await person.say({ action: "approve" });
    expect(await approved).toEqual({ ok: true, result: { deleted: ["a.txt"] } });
    expect(existsSync(join(cwd, "a.txt"))).toBe(false);
    await person.client.close();
  } finally {
    await beckon.close();
    rmSync(cwd, { recursive: true });
  }
});
