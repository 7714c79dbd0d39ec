import { defineTool } from "../../../core/index.ts";
import { refusalOf } from "../refusal.ts";

/** A secret reaches this hook and nothing else, so its result says only that it came. */
export const tourSecret = defineTool({
  name: "tour_secret",
  description: "Part of /tour: asks for a secret, and forgets it.",
  version: "1",
  durable: "replay",
  parameters: { type: "object", properties: {}, additionalProperties: false },
  handler: (_args, ctx) =>
    ctx.requestInteraction({
      type: "input",
      prompt: "A key for the deployment (anything will do)",
      inputSchema: {
        type: "form",
        fields: [
          { id: "account", type: "text", label: "Account", required: true },
          { id: "key", type: "secret", label: "Key", required: true },
        ],
        initialValues: { account: "demo" },
      },
      timeoutMs: null,
      onResponse: (response) => ({
        complete: refusalOf(response) ?? { ok: true, account: response.input?.["account"] },
      }),
    }),
});
