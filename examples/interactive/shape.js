import { defineTool } from "beckon";

/** The smallest tool that asks. */
export const approveTool = defineTool({
  name: "approve",
  description: "Asks for a yes or a no.",
  version: "1",
  durable: "replay",
  parameters: { type: "object", properties: {} },
  async handler(_args, ctx) {
    // #region shape
    const result = await ctx.requestInteraction({
      type: "approval", // or "input"
      prompt: "What people read",
      onResponse: (response, info) => ({
        complete: `${response.action} by ${info.responder.name}`,
      }),
    });
    // #endregion shape
    return { result };
  },
});
