import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  codeIn,
  inFolder,
  installInto,
  readHere,
  runNodeTest,
} from "../../test/support/guide-folder.ts";
import { checkDurableTool, loadPluginTools } from "./index.ts";

/* What the guides show is what runs. */

test("the guide's example is the one in examples/, and runs where there is no vitest", async () => {
  const example = await readHere("examples/testing/order.test.js");
  expect(codeIn(await readHere("docs/guide/testing-tools.md"))[0]).toBe(example);
  await inFolder(async (folder) => {
    await installInto(folder);
    await writeFile(join(folder, "order.test.js"), example);
    expect(await runNodeTest(folder, "order.test.js")).toMatch(/pass 2\n.*fail 0/);
  });
}, 60_000);

test("the tool that the guide to interactive tools builds is asked, answered and run", async () => {
  const shown = codeIn(await readHere("docs/guide/interactive-tools.md"));
  await inFolder(async (folder) => {
    await installInto(folder);
    for (const name of ["deploy.js", "deploy.test.js"]) {
      const example = await readHere(`examples/interactive/${name}`);
      expect(shown).toContain(example);
      await writeFile(join(folder, name), example);
    }
    expect(await runNodeTest(folder, "deploy.test.js")).toMatch(/pass 4\n.*fail 0/);
  });
}, 60_000);

test("the app that the guide to React shows, and its test, are those in examples/", async () => {
  const app = await readHere("examples/react/app.tsx");
  const shown = codeIn(await readHere("docs/guide/react.md"), "tsx");
  expect(shown).toContain(app);
  expect(shown).toContain(await readHere("examples/react/app.test.tsx"));
  expect(codeIn(await readHere("README.md"), "tsx")).toContain(app);
});

test("the plugin in the guide to durable tools keeps its rules", async () => {
  const [code = ""] = codeIn(await readHere("docs/guide/durable-tools.md"));
  await inFolder(async (folder) => {
    const operation = { id: "order", summary: "Orders.", inputSchema: {}, durable: "replay" };
    const manifest = { id: "shop", version: "1", operations: [operation] };
    await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
    await writeFile(join(folder, "index.mjs"), code);
    const plugin = await loadPluginTools(folder);
    const report = await checkDurableTool(plugin.operation("order"), {
      args: { item: "lamp" },
      answers: [{ action: "approve" }, { action: "approve" }],
    });
    await plugin.close();
    expect(String(report)).toMatch(/^shop_order kept every rule/);
    expect(report.end).toMatchObject({ ok: true, result: { ordered: true } });
  });
});
