import { cp, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { inFolder, installInto, readHere, runNodeTest } from "../support/guide-folder.ts";

/* The longer examples of the guides; test/docs sees to it that they are what the guides show. */

/** Runs a file of examples/ with Node's own test runner, in a package that has Beckon. */
async function runExample(path: string, beside: string[] = []): Promise<string> {
  let printed = "";
  await inFolder(async (folder) => {
    await installInto(folder);
    for (const one of [path, ...beside]) {
      await writeFile(join(folder, basename(one)), await readHere(one));
    }
    await cp("examples/durable", join(folder, "plugins", "shop"), { recursive: true });
    printed = await runNodeTest(folder, basename(path));
  });
  return printed;
}

test("the example of a checked tool runs where there is no vitest", async () => {
  expect(await runExample("examples/testing/order.test.js")).toMatch(/pass 2\n.*fail 0/);
});

test("the example of a checked operation of a plugin runs, too", async () => {
  expect(await runExample("examples/testing/plugin.test.js")).toMatch(/pass 1\n.*fail 0/);
});

test("the tool that the guide to interactive tools builds is asked, answered and run", async () => {
  const tool = ["examples/interactive/deploy.js"];
  const printed = await runExample("examples/interactive/deploy.test.js", tool);
  expect(printed).toMatch(/pass 4\n.*fail 0/);
});
