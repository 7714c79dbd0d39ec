import { defineTool } from "beckon";

/**
 * Asks in the page first. When nobody answers there in time, it writes an e-mail and lets the agent
 * go on.
 *
 * @param {{
 *   to: string,
 *   waitMs: number,
 *   linkTo: (sessionId: string, interactionId: string) => string,
 *   send: (mail: import("./outbox.js").Mail) => Promise<void>,
 * }} options
 */
export function createAskByMailTool({ to, waitMs, linkTo, send }) {
  return defineTool({
    name: "ask_by_mail",
    description: "Asks a person, in the page or by e-mail. The answer may come much later.",
    version: "1",
    durable: "replay",
    parameters: {
      type: "object",
      properties: { question: { type: "string", minLength: 1 } },
      required: ["question"],
      additionalProperties: false,
    },
    /** @param {{ question: string }} args */
    handler: ({ question }, ctx) =>
      // #region ask
      ctx.requestInteraction({
        type: "input",
        prompt: question,
        inputSchema: {
          type: "form",
          fields: [{ id: "answer", type: "textarea", label: "Your answer", required: true }],
        },
        timeoutMs: waitMs,
        whenUnavailable: "wait",
        onResponse: ({ action, input }) => ({
          complete: action === "submit" ? { answer: input?.answer } : { declined: true },
        }),
        async onTimeout({ interactionId }) {
          const link = linkTo(ctx.sessionId, interactionId);
          // Under one id, so that an e-mail that is sent again after a crash can be told apart.
          await ctx.step("mail", () => send({ id: interactionId, to, question, link }));
          const message = `Nobody answered yet, so ${to} got an e-mail. Go on with something else: the answer will arrive as a message.`;
          return { pending: { message } };
        },
      }),
    // #endregion ask
  });
}
