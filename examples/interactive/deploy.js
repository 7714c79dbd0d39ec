import { defineTool } from "beckon";

/**
 * @param {(version: string, where: string) => Promise<string>} deployTo what really deploys
 * @param {number} timeoutMs how long people have
 */
export function createDeployTool(deployTo, timeoutMs = 60 * 60 * 1_000) {
  return defineTool({
    name: "deploy",
    description: "Deploys a version to where a person says.",
    version: "1",
    durable: "replay",
    parameters: {
      type: "object",
      properties: { version: { type: "string" } },
      required: ["version"],
    },
    /** @param {{ version: string }} args */
    async handler({ version }, ctx) {
      const answer = await ctx.requestInteraction({
        type: "input",
        questions: [
          {
            header: "Target",
            question: `Where should ${version} go?`,
            options: [{ label: "Staging" }, { label: "Production", description: "For everybody." }],
            multiSelect: false,
          },
        ],
        timeoutMs,
        onResponse: ({ action, input }) => ({
          complete: action === "submit" ? /** @type {any} */ (input).answers[0] : null,
        }),
        onTimeout: () => ({ complete: null }),
      });
      if (answer === null) return { deployed: false };
      const where = /** @type {string} */ (answer);
      const url = await ctx.step("deploy", () => deployTo(version, where));
      return { deployed: true, where, url };
    },
  });
}
