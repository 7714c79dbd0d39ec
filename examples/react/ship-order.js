import { defineTool } from "beckon";

/** A tool of the shop, held until somebody approves it. */
export const shipOrder = defineTool({
  name: "ship_order",
  description: "Ships an order.",
  version: "1",
  durable: "replay",
  parameters: {
    type: "object",
    properties: { order: { type: "integer" }, to: { type: "string" } },
    required: ["order", "to"],
    additionalProperties: false,
  },
  approval: { prompt: ({ order, to }) => `Ship order ${order} to ${to}?`, timeoutMs: null },
  /** @param {{ order: number, to: string }} args */
  handler: ({ order, to }) => ({ shipped: order, to }),
});
