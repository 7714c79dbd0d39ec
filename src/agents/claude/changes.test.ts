import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { changesOf } from "./changes.ts";

let folder: string;
let work: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "beckon-changes-"));
  work = join(folder, "work");
  mkdirSync(work);
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (name: string) => join(work, name);

test("a write over a file has what was there, one of a new file has not", async () => {
  writeFileSync(at("a"), "one\n");
  expect(await changesOf("Write", { file_path: at("a"), content: "two\n" }, work)).toEqual([
    { path: at("a"), kind: "edit", oldText: "one\n", newText: "two\n" },
  ]);
  expect(await changesOf("Write", { file_path: at("b"), content: "two\n" }, work)).toEqual([
    { path: at("b"), kind: "add", newText: "two\n" },
  ]);
});

test("an edit has all of the file before and after it, several at once too", async () => {
  writeFileSync(at("a"), "x y x $&\n");
  const edit = async (tool: string, input: object) =>
    (await changesOf(tool, { file_path: at("a"), ...input }, work))?.map(
      ({ oldText, newText }) => `${oldText}→ ${newText}`,
    );
  expect(await edit("Edit", { old_string: "y", new_string: "$&" })).toEqual([
    "x y x $&\n→ x $& x $&\n",
  ]);
  expect(await edit("Edit", { old_string: "x", new_string: "z", replace_all: true })).toEqual([
    "x y x $&\n→ z y z $&\n",
  ]);
  const edits = [
    { old_string: "y", new_string: "q" },
    { old_string: "q", new_string: "r" },
  ];
  expect(await edit("MultiEdit", { edits })).toEqual(["x y x $&\n→ x r x $&\n"]);
});

test("an edit that does not fit the file is shown as it is written", async () => {
  writeFileSync(at("a"), "x y x\n");
  for (const old_string of ["gone", "x"]) {
    const input = { file_path: at("a"), old_string, new_string: "z" };
    expect(await changesOf("Edit", input, work)).toEqual([
      { path: at("a"), kind: "edit", oldText: old_string, newText: "z" },
    ]);
  }
});

test("what is outside of the folder, no text or too large is not read", async () => {
  writeFileSync(join(folder, "secret"), "the key");
  symlinkSync(join(folder, "secret"), at("link"));
  execFileSync("/bin/sh", ["-c", 'mkfifo "$0"', at("pipe")]);
  writeFileSync(at("bytes"), Buffer.from([0, 255, 1]));
  writeFileSync(at("large"), "x".repeat(1024 * 1024 + 1));
  for (const path of [
    join(folder, "secret"),
    at("link"),
    at("bytes"),
    at("pipe"),
    at("large"),
    work,
  ]) {
    expect(await changesOf("Write", { file_path: path, content: "new" }, work)).toEqual([
      { path, kind: "edit", newText: "new" },
    ]);
  }
});

test("of a long file what is far from all changes is left out", async () => {
  const lines = Array.from({ length: 1_000 }, (_, n) => `line ${n} of a long file`);
  writeFileSync(at("a"), lines.join("\n"));
  const input = { file_path: at("a"), old_string: "line 500 of", new_string: "LINE 500 of" };
  const [change] = (await changesOf("Edit", input, work)) ?? [];
  const [before, after] = [change?.oldText?.split("\n"), change?.newText?.split("\n")];
  expect(before).toEqual(lines.slice(480, 521));
  expect(after).toEqual(lines.with(500, "LINE 500 of a long file").slice(480, 521));
});

test("a cell of a notebook is its text, and other tools change no files", async () => {
  const cells = [{ id: "c1", source: ["a = 1\n", "b"] }];
  writeFileSync(at("n.ipynb"), JSON.stringify({ cells }));
  const input = { notebook_path: at("n.ipynb"), cell_id: "c1", new_source: "a = 2\nb" };
  expect(await changesOf("NotebookEdit", input, work)).toEqual([
    { path: at("n.ipynb"), kind: "edit", oldText: "a = 1\nb", newText: "a = 2\nb" },
  ]);
  expect(await changesOf("constructor", { file_path: "a" }, work)).toBeUndefined();
  expect(await changesOf("Read", { file_path: at("a") }, work)).toBeUndefined();
  expect(await changesOf("Write", { file_path: at("a"), content: 1 }, work)).toBeUndefined();
});
