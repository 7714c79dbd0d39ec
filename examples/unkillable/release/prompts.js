/** @typedef {import("beckon").ToolContext} ToolContext */

/** A release waits for its people, however long they take and whether or not they are there now. */
const PATIENT = /** @type {const} */ ({ timeoutMs: null, whenUnavailable: "wait" });

/**
 * @param {ToolContext} ctx
 * @param {string} prompt
 */
export function approve(ctx, prompt) {
  return ctx.requestInteraction({
    ...PATIENT,
    type: "approval",
    prompt,
    approvalScopes: ["once"],
    onResponse: ({ action }) => ({ complete: action === "approve" }),
  });
}

/**
 * A form that is checked by the tool. A re-prompt says only what is wrong: the form and what was
 * typed into it are kept.
 *
 * @param {ToolContext} ctx
 * @param {string} version
 * @returns {Promise<Record<string, unknown> | null>}
 */
export async function askDetails(ctx, version) {
  const details = await ctx.requestInteraction({
    ...PATIENT,
    type: "input",
    prompt: `What goes out as ${version}?`,
    inputSchema: {
      type: "form",
      fields: [
        { id: "tag", type: "text", label: "Tag", placeholder: `v${version}`, required: true },
        {
          id: "channel",
          type: "select",
          label: "Channel",
          required: true,
          options: [
            { value: "stable", label: "Stable" },
            { value: "beta", label: "Beta" },
          ],
        },
        { id: "share", type: "number", label: "Share of users in percent", min: 1, max: 100 },
        { id: "notes", type: "textarea", label: "Notes" },
      ],
      submitLabel: "Build",
    },
    onResponse({ action, input = {} }) {
      if (action !== "submit") return { complete: null };
      if (input["tag"] === `v${version}`) return { complete: input };
      return {
        reprompt: {
          type: "input",
          error: "The tag does not fit the version.",
          fieldErrors: { tag: `This must be v${version}.` },
        },
      };
    },
  });
  return /** @type {Record<string, unknown> | null} */ (details);
}

/**
 * @param {ToolContext} ctx
 * @param {string} version
 * @returns {Promise<{ first: string, platforms: string[] } | null>}
 */
export async function askAudience(ctx, version) {
  const audience = await ctx.requestInteraction({
    ...PATIENT,
    type: "input",
    presentation: "questionnaire",
    prompt: `Who gets ${version}?`,
    questions: [
      {
        header: "First",
        question: "Who hears of it first?",
        options: [{ label: "Customers" }, { label: "The team" }, { label: "Nobody" }],
      },
      {
        header: "Platforms",
        question: "For which platforms?",
        options: [{ label: "Linux" }, { label: "macOS" }, { label: "Windows" }],
        multiSelect: true,
      },
    ],
    onResponse({ action, input }) {
      if (action !== "submit") return { complete: null };
      const answers = /** @type {Record<string, string>} */ (input?.["answers"]);
      return { complete: { first: answers["0"], platforms: JSON.parse(answers["1"] ?? "[]") } };
    },
  });
  return /** @type {{ first: string, platforms: string[] } | null} */ (audience);
}

/**
 * A secret is in memory from the answer to the hook. If the server dies in between, Beckon asks for
 * it again; the hook of that next attempt has steps of its own, so only the key of the effect keeps
 * it from being done twice.
 *
 * @param {ToolContext} ctx
 * @param {string} version
 * @param {(token: string) => Promise<unknown>} publish
 */
export function askToken(ctx, version, publish) {
  return ctx.requestInteraction({
    ...PATIENT,
    type: "input",
    prompt: `Publish ${version} to the registry`,
    inputSchema: {
      type: "form",
      fields: [
        { id: "token", type: "secret", label: "Registry token", required: true, minLength: 8 },
      ],
      submitLabel: "Publish",
    },
    async onResponse({ action, input }) {
      if (action !== "submit") return { complete: false };
      await publish(String(input?.["token"]));
      return { complete: true };
    },
  });
}
