import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inFolder, installInto, readHere, runNodeTest } from "../../support/guide-folder.ts";

const SDK = "@anthropic-ai/claude-agent-sdk";

test("the guide's test of Claude runs with the SDK installed beside Beckon", async () => {
  const example = await readHere("examples/testing/claude.test.js");
  await inFolder(async (folder) => {
    await installInto(folder, { [SDK]: `test/runtimes/node_modules/${SDK}` });
    await writeFile(join(folder, "claude.test.js"), example);
    expect(await runNodeTest(folder, "claude.test.js")).toMatch(/pass 1\n.*fail 0/);
  });
});
