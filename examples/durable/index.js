const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

export default {
  operations: {
    /** @param {{ item: string }} args @param {import("beckon/plugin").OperationContext} ctx */
    async order({ item }, ctx) {
      const orderId = ctx.uuid();
      const price = await ctx.step("price", () => priceOf(item));
      const ask = (/** @type {string} */ who) =>
        ctx.requestInteraction({
          type: "approval",
          key: who,
          prompt: `For the ${who}: order ${item} for ${price}?`,
          timeoutMs: WEEK_MS,
          onResponse: ({ action }) => ({ complete: action === "approve" }),
        });
      const approved = await Promise.all([ask("buyer"), ask("manager")]);
      if (approved.includes(false)) return { ordered: false };
      return ctx.step("order", () => placeOrder(orderId, item));
    },
  },
};

/** @param {string} item */
function priceOf(item) {
  return item.length * 10;
}

/** @param {string} orderId @param {string} item */
function placeOrder(orderId, item) {
  console.error(`ordered ${item} as ${orderId}`);
  return { ordered: true, orderId };
}
