import assert from "node:assert/strict";
import { test } from "node:test";
import { checkDurableTool, loadPluginTools } from "beckon/testing";

test("an operation of a plugin keeps the rules", async () => {
  const args = { item: "a lamp" };
  const answers = [
    { action: /** @type {const} */ ("approve") },
    { action: /** @type {const} */ ("approve") },
  ];
  // #region load
  const plugin = await loadPluginTools("./plugins/shop");
  const report = await checkDurableTool(plugin.operation("order"), { args, answers });
  await plugin.close();
  // #endregion load
  assert.ok(report.ok, String(report));
});
