import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createBeckon } from "../../src/beckon.ts";
import {
  GrantRecord,
  InteractionRecord,
  LIMITS,
  NodeRecord,
  SessionRecord,
} from "../../src/protocol/index.ts";
import { blocksOf, readPage, sectionOf } from "../support/markdown.ts";
import { typeInWords } from "../support/schema-words.ts";

const page = readPage("docs/reference/http.md");

test("the command that the page begins with gives the description of the routes", async () => {
  const home = mkdtempSync(join(tmpdir(), "beckon-home-"));
  const beckon = await createBeckon({ dataDir: join(home, ".beckon") });
  try {
    const { url } = await beckon.listen({ host: "127.0.0.1", port: 0 });
    const [script = ""] = blocksOf(page, "sh").map((text) =>
      text.replace("http://127.0.0.1:4780", url),
    );
    expect(script).toContain(url);
    const env = { ...process.env, HOME: home };
    await promisify(execFile)("sh", ["-eu", "-c", script], { cwd: home, env });
    const description: unknown = JSON.parse(readFileSync(join(home, "beckon.json"), "utf8"));
    expect(description).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./) });
  } finally {
    await beckon.close();
    rmSync(home, { recursive: true, force: true });
  }
});

test.each([
  ["session", SessionRecord],
  ["interaction", InteractionRecord],
  ["grant", GrantRecord],
  ["node", NodeRecord],
])("the fields of a %s are those of its schema", (name, schema) => {
  const records = sectionOf(page, "## Records");
  const [, fields = ""] = new RegExp(`\\*\\*${name}\\*\\* is \`{ (.*?) }\``).exec(records) ?? [];
  expect(fields.split(", ")).toEqual(Object.keys(typeInWords(schema)));
});

test("the numbers on the page are those of the limits", () => {
  const count = (number: number) => number.toLocaleString("en");
  for (const sentence of [
    `at most ${LIMITS.messageBytes / 1024} KiB`,
    `may have ${LIMITS.toolInputBytes / 1024 / 1024} MiB`,
    `at most ${LIMITS.listPageMax} at a time`,
    `up to ${count(LIMITS.eventsPageDefault)} events, with \`?limit=\` up to ${count(LIMITS.eventsPageMax)}`,
    `for at most ${LIMITS.waitMaxSeconds} seconds`,
  ]) {
    expect(page).toContain(sentence);
  }
});
