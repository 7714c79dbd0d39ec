import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { watchPlugins } from "./watch-plugins.ts";

let root: string;
let watching: { close(): void };
let heard: (folders: string[]) => void;
const logged: string[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "beckon-watch-"));
  logged.length = 0;
});
afterEach(async () => {
  watching.close();
  await rm(root, { recursive: true, force: true });
});

function watch(...directories: string[]): void {
  const note = (_details: object, message: string) => void logged.push(message);
  watching = watchPlugins(directories, (folders) => heard([...folders].toSorted()), {
    info: note,
    warn: note,
    error: note,
  });
}

/** The folders of the next change. */
const next = () => new Promise<string[]>((resolve) => (heard = resolve));

test("a change names its plugin's folder, however deep it is, also in what was made since", async () => {
  await mkdir(join(root, "one", "lib"), { recursive: true });
  watch(root);
  let changed = next();
  await writeFile(join(root, "one", "lib", "a.js"), "1");
  expect(await changed).toEqual([root, join(root, "one")]);
  changed = next();
  await mkdir(join(root, "two", "lib"), { recursive: true });
  expect(await changed).toEqual([root, join(root, "two")]);
  changed = next();
  await writeFile(join(root, "two", "lib", "a.js"), "1");
  expect(await changed).toEqual([root, join(root, "two")]);
});

test("many files written at once are one change, and what is not the plugin's is none", async () => {
  for (const name of ["one", "two", "one/node_modules", "one/.git"]) await mkdir(join(root, name));
  watch(root);
  const changed = next();
  await Promise.all(
    ["one/node_modules/a.js", "one/.git/a", "two/.a.swp", "two/a.js~", "one/a.js", "one/b.js"].map(
      (name) => writeFile(join(root, name), ""),
    ),
  );
  expect(await changed).toEqual([root, join(root, "one")]);
});

test("a plugin's folder that is a link is watched where it is", async () => {
  await mkdir(join(root, "elsewhere"));
  await mkdir(join(root, "tools"));
  await symlink(join(root, "elsewhere"), join(root, "tools", "one"));
  watch(join(root, "tools"));
  const changed = next();
  await writeFile(join(root, "elsewhere", "index.js"), "");
  expect(await changed).toEqual([join(root, "tools"), join(root, "tools", "one")]);
});

test("a folder that is not there is no error", async () => {
  watch(join(root, "none"));
  expect(logged).toEqual([]);
});
