/** Cakes that were ordered, to be counted. */
const ordered = [];

export default {
  operations: {
    add: ({ a, b }) => a + b,
    order({ cake }) {
      ordered.push(cake);
      return { ordered: [...ordered] };
    },
    name: (_args, ctx) =>
      ctx.requestInteraction({
        type: "input",
        timeoutMs: null,
        whenUnavailable: "wait",
        inputSchema: { type: "form", fields: [{ id: "name", type: "text", label: "Name?" }] },
        onResponse: ({ input }) => ({ complete: { name: input?.name } }),
      }),
  },
};
