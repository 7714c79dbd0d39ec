import assert from "node:assert/strict";
import { test } from "node:test";
import { defineTool } from "beckon";
import { checkDurableTool } from "beckon/testing";

/** What the tool does to the world, here only written down. */
const orders = [];

const order = defineTool({
  name: "order",
  description: "Orders something after a person has approved it.",
  version: "1",
  durable: "replay",
  parameters: { type: "object", properties: { item: { type: "string" } }, required: ["item"] },
  /** @param {{ item: string }} args */
  async handler({ item }, ctx) {
    const orderId = ctx.uuid();
    const price = await ctx.step("price", () => item.length * 10);
    const approved = await ctx.requestInteraction({
      type: "approval",
      prompt: `Order ${item} for ${price}?`,
      onResponse: ({ action }) => ({ complete: action === "approve" }),
    });
    if (!approved) return { ordered: false };
    await ctx.step("order", () => void orders.push(orderId));
    return { ordered: true, orderId };
  },
});

test("an order survives a restart at any moment", async () => {
  const report = await checkDurableTool(order, {
    args: { item: "a lamp" },
    answers: [{ action: "approve" }],
    effects: () => orders.length,
  });
  assert.ok(report.ok, String(report));
  assert.equal(report.end.ok, true);
});

test("a refused order is not placed", async () => {
  const before = orders.length;
  const report = await checkDurableTool(order, {
    args: { item: "a lamp" },
    answers: [{ action: "deny", reason: "too dear" }],
  });
  assert.ok(report.ok, String(report));
  assert.equal(orders.length, before);
});
