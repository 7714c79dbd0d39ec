import { expect, test } from "vitest";
import { approveTool } from "../../examples/interactive/shape.js";
import { checkDurableTool, loadPluginTools } from "./index.ts";

/* Examples of the guides; test/docs sees to it that they are what the guides show. */

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
