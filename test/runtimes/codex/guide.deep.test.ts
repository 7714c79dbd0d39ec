import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inFolder, installInto, readHere, runNodeTest } from "../../support/guide-folder.ts";
import { CODEX } from "./codex-house.ts";

test("the guide's test of Codex runs with Codex installed beside Beckon", async () => {
  const example = await readHere("examples/testing/codex.test.js");
  await inFolder(async (folder) => {
    await installInto(folder);
    await mkdir(join(folder, "node_modules", ".bin"));
    await symlink(CODEX, join(folder, "node_modules", ".bin", "codex"));
    await writeFile(join(folder, "codex.test.js"), example);
    expect(await runNodeTest(folder, "codex.test.js")).toMatch(/pass 1\n.*fail 0/);
  });
});
