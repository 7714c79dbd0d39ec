import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Client } from "../../../test/scenarios/client.ts";
import { inFolder, installInto, runNodeTest } from "../../../test/support/guide-folder.ts";
import { runCommand } from "../../../test/support/run-command.ts";
import { createBeckon } from "../../beckon.ts";

let root: string;
let isTerminal: boolean;
beforeEach(() => {
  isTerminal = false;
  root = mkdtempSync(join(tmpdir(), "beckon-plugin-command-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function beckon(...args: string[]) {
  const env = { BECKON_DATA: join(root, "data"), BECKON_LOG: "silent" };
  const { out, ...rest } = await runCommand(args, { env, isTerminal });
  return { ...rest, out: out.join("\n") };
}

const create = (name = "my-notes") => beckon("plugin", "new", name, "--dir", root);

test("new makes a plugin that is in order, and says what comes next", async () => {
  const made = await create();
  const folder = join(root, "my-notes");
  expect(made).toMatchObject({ exitCode: 0, out: folder });
  expect(made.err).toContain('/call my_notes_collect_note {"subject":"lunch"}');
  expect(made.err).toMatch(/beckon plugin check \S+my-notes\n.*beckon serve --plugins \S+my-notes/);
  expect(await beckon("plugin", "check", folder)).toEqual({
    exitCode: 0,
    out: "The plugin my-notes 0.1.0 is in order. Its tools: my_notes_collect_note",
    err: "",
  });
});

test("in a clone, what new makes depends on that clone: it is not on npm", async () => {
  await create();
  const text = readFileSync(join(root, "my-notes", "package.json"), "utf8");
  const clone = fileURLToPath(new URL("../../..", import.meta.url));
  expect(JSON.parse(text).devDependencies).toEqual({ beckon: `file:${clone}` });
});

test("new overwrites nothing, and takes no name that a plugin cannot have", async () => {
  const folder = join(root, "my-notes");
  await mkdir(folder);
  expect(await create()).toMatchObject({
    exitCode: 1,
    err: `${folder} exists already. Choose another name, or another --dir.`,
  });
  expect(existsSync(join(folder, "manifest.json"))).toBe(false);
  expect(await create("My Notes")).toMatchObject({
    exitCode: 2,
    err: expect.stringMatching(/^"My Notes" cannot be a plugin's name: it must be 1 to 64 small/),
  });
});

test("what a manifest says cannot play with the terminal of who checks it", async () => {
  const folder = await write(
    "sly",
    {
      version: "1\u001b[2J",
      operations: [{ id: "run", summary: "Runs\u001b[2J.", inputSchema: {} }],
    },
    "export default { operations: { run: () => 1 } };",
  );
  expect((await beckon("plugin", "check", folder)).out).toContain("sly 1\\u{1B}[2J is in order");
  isTerminal = true;
  const shown = await beckon("plugin", "skill", folder);
  expect(shown.out).toContain("Runs\\u{1B}[2J.");
  expect(shown.out).not.toContain("\u001b");
});

test("what new makes runs on a server, and asks", async () => {
  await create();
  const server = await createBeckon({ dataDir: ":memory:", plugins: [join(root, "my-notes")] });
  try {
    expect(server.pluginProblems).toEqual([]);
    const { url } = await server.listen({ host: "127.0.0.1", port: 0 });
    const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
      const authorization = `Bearer ${server.ownerToken}`;
      const response = await fetch(url + path, {
        method: "POST",
        headers: { authorization, "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      });
      return response.json();
    };
    const { id } = await post("/api/sessions", {});
    const person = await Client.connect(url, server.ownerToken);
    await person.subscribe(id);
    const route = "/api/plugins/my-notes/operations/collect-note";
    const ended = post(route, { subject: "lunch" }, { "x-session-id": id });
    const request = await person.event("interaction_request");
    await person.answer(request, { action: "submit", input: { note: "Good soup" } });
    expect(await ended).toEqual({ ok: true, result: { ok: true, note: "Good soup" } });
  } finally {
    await server.close();
  }
});

test("the test that new makes passes where Beckon is installed", async () => {
  await inFolder(async (folder) => {
    await installInto(folder);
    await beckon("plugin", "new", "my-notes", "--dir", folder);
    const said = await runNodeTest(join(folder, "my-notes"), "index.test.js");
    expect(said).toMatch(/pass 1\n.*fail 0/);
  });
}, 60_000);

async function write(name: string, manifest: object, code: string): Promise<string> {
  const folder = join(root, "several", name);
  await mkdir(folder, { recursive: true });
  const whole = { id: name, version: "1", ...manifest };
  await writeFile(join(folder, "manifest.json"), JSON.stringify(whole));
  await writeFile(join(folder, "index.mjs"), code);
  return folder;
}

const operation = { id: "run", summary: "Runs.", inputSchema: {} };
const RUN = "export default { operations: { run() {} } };";

test("check says what is wrong with each plugin, in words or as data, and ends with 1", async () => {
  await write(
    "bad-schema",
    { operations: [{ ...operation, inputSchema: { type: "objekt" } }] },
    RUN,
  );
  await write("no-code", { operations: [operation] }, "export default { operations: {} };");
  await write("sound", { operations: [operation] }, RUN);
  await write("tour", { operations: [{ ...operation, id: "form" }] }, RUN);
  const settingsSchema = { type: "object", required: ["key"] };
  await write("unset", { operations: [operation], settingsSchema }, RUN);
  const checked = await beckon("plugin", "check", join(root, "several"));
  expect(checked.exitCode).toBe(1);
  expect(checked.out).toBe("The plugin sound 1 is in order. Its tools: sound_run");
  const lines = checked.err.split("\n");
  expect(lines).toHaveLength(4);
  for (const sentence of [
    /^The plugin bad-schema cannot be used\. .*operations\.0\.inputSchema\.type: must be one of/,
    /^The plugin no-code cannot be used\. Its manifest names the operation "run"/,
    /^The plugin tour cannot be used\. .* would be the tool "tour_form", which exists already\.$/,
    /^The plugin unset cannot be used\. Its settings are not right: key is required\./,
  ]) {
    expect(lines).toContainEqual(expect.stringMatching(sentence));
  }
  const asData = await beckon("plugin", "check", join(root, "several"), "--json");
  expect(asData.exitCode).toBe(1);
  expect(JSON.parse(asData.out)).toMatchObject({
    ok: false,
    plugins: [{ id: "sound", version: "1", tools: ["sound_run"] }],
    problems: expect.arrayContaining([
      { plugin: "unset", message: expect.stringContaining("key is required") },
    ]),
  });
});

test("check uses the settings of the data directory", async () => {
  const settingsSchema = { type: "object", required: ["key"] };
  const folder = await write("set", { operations: [operation], settingsSchema }, RUN);
  await mkdir(join(root, "data"));
  const settings = { plugins: { set: { key: "k" } } };
  writeFileSync(join(root, "data", "settings.json"), JSON.stringify(settings));
  expect((await beckon("plugin", "check", folder)).exitCode).toBe(0);
});

/** What is between the dashes, as YAML that is also JSON. */
function frontMatter(skill: string): Record<string, string> {
  const [, block = ""] = /^---\n([\s\S]*?)\n---\n/.exec(skill) ?? [];
  return Object.fromEntries(
    block
      .split("\n")
      .filter((line) => /^\w+: /.test(line))
      .map((line) => [
        line.slice(0, line.indexOf(":")),
        line.slice(line.indexOf(":") + 2).replaceAll(/^"|"$/g, ""),
      ]),
  );
}

test("skill prints how to call each operation, and keeps the rules of skills", async () => {
  await create();
  const { exitCode, out } = await beckon("plugin", "skill", join(root, "my-notes"));
  expect(exitCode).toBe(0);
  const { name = "", description = "" } = frontMatter(out);
  expect(name).toBe("my-notes");
  expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  expect(description).toMatch(/^Collects notes from people\. Use it to run /);
  expect(out).toContain(`beckon call my-notes collect-note '{"subject":"…"}'`);
  expect(out).toContain("- `subject` (string, required): What the note is about");
  expect(out).toMatch(/It answers with:\n\n- object with\n {2}- `ok` \(boolean, required\)/);
  expect(out).toContain("- 124: nobody answered in time");
});

test("a skill of a plugin with a long or strange description is still a skill", async () => {
  const description = `<b>${"long words ".repeat(200)}</b>\n"quoted": yes`;
  const odd = { ...operation, id: "it-s", inputSchema: { examples: [{ who: "it's me" }] } };
  const folder = await write("odd--name-", { description, operations: [odd] }, RUN);
  const { out } = await beckon("plugin", "skill", folder);
  const front = frontMatter(out);
  expect(front["name"]).toBe("odd-name");
  expect(Array.from(front["description"] ?? "").length).toBeLessThanOrEqual(1_024);
  expect(front["description"]).not.toMatch(/[<>\n]/);
  expect(out).toContain(String.raw`beckon call odd--name- it-s '{"who":"it'\''s me"}'`);
  const written = await beckon("plugin", "skill", folder, "--write");
  expect(written.err).toContain("call a copy of it odd-name");
});

test("skill --write writes it into each plugin's folder; several are not printed at once", async () => {
  const one = await write("one", { operations: [operation] }, RUN);
  const two = await write("two", { operations: [operation] }, RUN);
  const both = join(root, "several");
  expect(await beckon("plugin", "skill", both)).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining("holds 2 plugins"),
  });
  const { out, exitCode } = await beckon("plugin", "skill", both, "--write");
  expect(exitCode).toBe(0);
  expect(out.split("\n")).toEqual([join(one, "SKILL.md"), join(two, "SKILL.md")]);
  expect(readFileSync(join(two, "SKILL.md"), "utf8")).toMatch(/^---\nname: two\n/);
  expect(await beckon("plugin", "skill", join(root, "none"))).toMatchObject({ exitCode: 1 });
});

test("the official plugin is in order, and its SKILL.md is what its manifest says now", async () => {
  const folder = fileURLToPath(new URL("../../../plugins/questions", import.meta.url));
  expect(await beckon("plugin", "check", folder)).toMatchObject({ exitCode: 0, err: "" });
  const { out } = await beckon("plugin", "skill", folder);
  expect(readFileSync(join(folder, "SKILL.md"), "utf8")).toBe(`${out}\n`);
});
