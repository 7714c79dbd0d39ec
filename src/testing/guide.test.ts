import { cp, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { approveTool } from "../../examples/interactive/shape.js";
import { inFolder, installInto, readHere, runNodeTest } from "../../test/support/guide-folder.ts";
import { checkDurableTool, loadPluginTools } from "./index.ts";

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
}, 60_000);

test("the example of a checked operation of a plugin runs, too", async () => {
  expect(await runExample("examples/testing/plugin.test.js")).toMatch(/pass 1\n.*fail 0/);
}, 60_000);

test("the tool that the guide to interactive tools builds is asked, answered and run", async () => {
  const tool = ["examples/interactive/deploy.js"];
  const printed = await runExample("examples/interactive/deploy.test.js", tool);
  expect(printed).toMatch(/pass 4\n.*fail 0/);
}, 60_000);

test("the smallest tool that asks tells who answered", async () => {
  const answers = [{ action: "approve" as const }];
  const report = await checkDurableTool(approveTool, { answers });
  expect(report.end).toMatchObject({
    ok: true,
    result: { result: expect.stringMatching(/^approve by /) },
  });
});

test("the plugin in the guide to durable tools keeps its rules", async () => {
  const plugin = await loadPluginTools("examples/durable");
  const report = await checkDurableTool(plugin.operation("order"), {
    args: { item: "lamp" },
    answers: [{ action: "approve" }, { action: "approve" }],
  });
  await plugin.close();
  expect(String(report)).toMatch(/^shop_order kept every rule/);
  expect(report.end).toMatchObject({ ok: true, result: { ordered: true } });
});
