import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { createBeckon } from "../../src/beckon.ts";
import { Settings } from "../../src/cli/settings.ts";
import {
  CONNECTIONS,
  CreateSessionBody,
  DEFAULTS,
  LIMITS,
  PatchSessionBody,
} from "../../src/protocol/index.ts";
import { blocksOf, readPage, rowsOf, sectionOf } from "../support/markdown.ts";
import { sourceFiles } from "../support/source-files.ts";

const page = readPage("docs/reference/configuration.md");
const rows = (heading: string) => rowsOf(sectionOf(page, heading));
const code = (cell = "") => cell.replaceAll("`", "");

test.each([
  ["## Limits", LIMITS],
  ["## Times", DEFAULTS],
  ["## Connections", CONNECTIONS],
])("%s are those of the sources, and each is explained", (heading, values) => {
  const shown = rows(heading).map(([name, value = "", means]) => {
    expect(means, name).toBeTruthy();
    return [code(name), Number(value.replaceAll(",", ""))];
  });
  expect(Object.fromEntries(shown)).toEqual(values);
});

test("every variable that the sources read is listed, and no other", () => {
  const read = sourceFiles().flatMap(({ text }) =>
    Array.from(text.matchAll(/\benv\["([A-Z_]+)"\]/g), ([, name = ""]) => name),
  );
  const listed = rows("## Environment").map(([name]) => code(name));
  expect(listed.toSorted()).toEqual([...new Set(read)].toSorted());
});

test("every key of settings.json is listed, and no other", () => {
  const listed = rows("## settings.json").map(([name]) => code(name));
  expect(listed.toSorted()).toEqual(keysOf(Settings).toSorted());
});

test("the settings that the page shows are taken", () => {
  const [example = ""] = blocksOf(sectionOf(page, "## settings.json"), "json");
  expect(Settings.safeParse(JSON.parse(example)).error).toBeUndefined();
});

test("every field of a session is listed, with whether it can be changed later", () => {
  const shown = rows("## A session").map(([name, , later]) => [code(name), later]);
  const real = Object.keys(CreateSessionBody.shape).map((name) => [
    name,
    name in PatchSessionBody.shape ? "yes" : "no",
  ]);
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(real));
});

test("what a server keeps in its data directory is listed", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "beckon-files-"));
  const beckon = await createBeckon({ dataDir });
  try {
    await beckon.listen({ host: "127.0.0.1", port: 0 });
    const rowsOfFiles = rows("## The data directory");
    const listed = new Set(rowsOfFiles.flatMap(([names]) => code(names).split(", ")));
    const there = readdirSync(dataDir);
    expect(there).toContain("beckon.db-wal");
    expect(there.filter((name) => !listed.has(name) && name !== "plugins")).toEqual([]);
  } finally {
    await beckon.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

/** Every setting by its path; what is kept by an id of somebody else's has `ID` in its place. */
function keysOf(schema: z.ZodType, path = ""): string[] {
  const inner = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
  if (inner instanceof z.ZodObject) {
    const shape = inner.shape as Record<string, z.ZodType>;
    return Object.entries(shape).flatMap(([name, part]) => keysOf(part, join(path, name)));
  }
  return [`${path.replaceAll("/", ".")}${path === "plugins" ? ".ID" : ""}`];
}
