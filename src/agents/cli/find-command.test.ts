import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, relative } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findCommand } from "./find-command.ts";

let folder: string;
let good: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "beckon-find-"));
  good = join(folder, "good", "claude");
  await mkdir(join(folder, "folder", "claude"), { recursive: true });
  for (const name of ["plain", "good"]) await mkdir(join(folder, name));
  await writeFile(join(folder, "plain", "claude"), "", { mode: 0o644 });
  await writeFile(good, "", { mode: 0o755 });
});
afterEach(() => rm(folder, { recursive: true }));

function find(command: string, path?: string): Promise<string> {
  return findCommand({ command, path, agent: "any", needs: "That", install: "npm install that" });
}

test("the first file on the PATH that can be run is it", async () => {
  const places = ["none", "folder", "plain", "good"].map((name) => join(folder, name));
  expect(await find("claude", places.join(delimiter))).toBe(good);
  await expect(find("claude", places.slice(0, 3).join(delimiter))).rejects.toThrow(
    'The agent "any" needs That, and there is no command "claude" on the PATH of the server. ' +
      'Install it with: npm install that, or name it in settings.json: agents["any"].command',
  );
});

test("a path is taken from the folder of this process, and needs no PATH", async () => {
  for (const path of [good, relative(process.cwd(), good)]) expect(await find(path)).toBe(good);
  const missing = join(folder, "plain", "claude");
  await expect(find(missing, folder)).rejects.toThrow(`no command "${missing}". Install`);
});

test("a folder of the PATH that is not whole is seen from the folder of this process", async () => {
  expect(await find("claude", relative(process.cwd(), join(folder, "good")))).toBe(good);
});

test("an empty PATH, or an empty place in it, is no place", async () => {
  for (const path of [undefined, "", delimiter]) {
    await expect(find("package.json", path)).rejects.toThrow("on the PATH");
  }
});
