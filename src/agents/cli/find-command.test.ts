import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findCommand } from "./find-command.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "beckon-find-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("the first file on the PATH that can be run is it", async () => {
  const places = ["none", "folder", "plain", "good"].map((name) => join(folder, name));
  const [, asFolder = "", plain = "", good = ""] = places;
  await mkdir(join(asFolder, "claude"), { recursive: true });
  for (const place of [plain, good]) await mkdir(place);
  await writeFile(join(plain, "claude"), "", { mode: 0o644 });
  await writeFile(join(good, "claude"), "", { mode: 0o755 });
  expect(await findCommand("claude", { PATH: places.join(delimiter) })).toBe(join(good, "claude"));
  await expect(findCommand("claude", { PATH: plain })).rejects.toThrow("on the PATH of the server");
  await expect(findCommand("claude", {})).rejects.toThrow("npm install -g");
});
