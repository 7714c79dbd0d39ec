import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadClaudeSdk, SDK_PACKAGE, sdkNeed } from "./load-sdk.ts";

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), "beckon sdk-"))));
afterEach(() => rm(folder, { recursive: true }));

async function install(): Promise<string> {
  const home = join(folder, "node_modules", SDK_PACKAGE);
  await mkdir(home, { recursive: true });
  await writeFile(join(home, "package.json"), '{ "main": "sdk.mjs" }');
  await writeFile(join(home, "sdk.mjs"), "export const from = 'the folder';");
  return join(home, "sdk.mjs");
}

test("the SDK is found in our folder as soon as it is installed there", async () => {
  const place = { sdkFolder: folder };
  const need = sdkNeed(place);
  expect(need.install).toBe(`npm install --prefix '${folder}' ${SDK_PACKAGE}`);
  expect(await need.isThere()).toBe(false);
  await expect(loadClaudeSdk(place)).rejects.toThrow(
    `could not be loaded from "${SDK_PACKAGE}". Install it with: ${need.install}`,
  );
  await install();
  expect(await need.isThere()).toBe(true);
  expect(await loadClaudeSdk(place)).toMatchObject({ from: "the folder" });
});

test("a path in the settings is where it is looked for, and nowhere else", async () => {
  const sdkPath = await install();
  expect(await sdkNeed({ sdkPath }).isThere()).toBe(true);
  expect(await sdkNeed({ sdkPath: `file://${encodeURI(sdkPath)}` }).isThere()).toBe(true);
  const missing = `${sdkPath}.not`;
  expect(await sdkNeed({ sdkPath: missing, sdkFolder: folder }).isThere()).toBe(false);
  await expect(loadClaudeSdk({ sdkPath: missing, sdkFolder: folder })).rejects.toThrow(missing);
});
