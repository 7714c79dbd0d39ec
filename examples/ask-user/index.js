export default {
  operations: {
    /** @param {{ question: string }} args @param {import("beckon/plugin").OperationContext} ctx */
    question: ({ question }, ctx) =>
      ctx.requestInteraction({
        type: "input",
        inputSchema: {
          type: "form",
          fields: [{ id: "answer", type: "text", label: question, required: true }],
        },
        onResponse: ({ action, input }) => ({
          complete: action === "submit" ? { answer: input?.answer } : { declined: true },
        }),
      }),
  },
};
