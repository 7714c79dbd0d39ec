import { defineTool, type InteractionRequestWithHooks } from "../../core/call/tool.ts";

const NAME_FORM = {
  type: "form" as const,
  fields: [{ id: "name", type: "text" as const, label: "Name", required: true }],
};

function asking(name: string, request: InteractionRequestWithHooks) {
  return defineTool({
    name,
    description: "Asks, for the tests of transports.",
    parameters: { type: "object" },
    durable: "replay",
    handler: (_args, ctx) => ctx.requestInteraction(request),
  });
}

/** Tools that ask in every way. The server of a transport under test has them. */
export const CONTRACT_TOOLS = [
  asking("contract_approval", {
    type: "approval",
    approvalScopes: ["once", "session"],
    onResponse: (response) => ({ complete: response }),
  }),
  /** Asks again until the name is long enough. */
  asking("contract_name", {
    type: "input",
    inputSchema: NAME_FORM,
    onResponse: ({ input }) =>
      String(input?.["name"]).length > 2
        ? { complete: input }
        : { reprompt: { type: "input", inputSchema: NAME_FORM, error: "Too short" } },
  }),
  asking("contract_questions", {
    type: "input",
    questions: [
      {
        header: "Color",
        question: "Which color?",
        options: [{ label: "Red" }, { label: "Blue" }],
        multiSelect: false,
      },
    ],
    onResponse: ({ input }) => ({ complete: input }),
  }),
];
