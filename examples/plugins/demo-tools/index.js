/**
 * A plugin with state: it is called once, and its operations and their hooks reach what it holds by
 * closure.
 *
 * @param {import("beckon").PluginSetup} setup
 * @returns {import("beckon").PluginInstance}
 */
export default function demoTools({ log }) {
  /** @type {Set<string>} */
  const deleted = new Set();

  return {
    operations: {
      /**
       * An approval gate. The key says what an approval covers: these files, in any order.
       *
       * @param {{ files: string[] }} args
       * @param {import("beckon").ToolContext} ctx
       */
      // #region delete-files
      async "delete-files"({ files }, ctx) {
        const key = `delete:${files.toSorted().join("\n")}`;
        // In a step, so that a restart between the work and its result does not do the work twice.
        const remove = () =>
          ctx.step("delete", () => {
            for (const file of files) deleted.add(file);
            log.info({ files }, "pretended to delete");
            return { ok: true, deleted: files };
          });

        if (await ctx.approvals.get(key, ctx.sessionId)) return remove();
        return ctx.requestInteraction({
          type: "approval",
          prompt: files.length === 1 ? `Delete ${files[0]}?` : `Delete ${files.length} files?`,
          approvalScopes: ["once", "session", "always"],
          completedView: { summaryTemplate: "{{action}} ({{scope}})" },
          async onResponse({ action, approvalScope = "once", reason }) {
            if (action === "deny") return { complete: { ok: false, denied: true, reason } };
            if (approvalScope !== "once") {
              await ctx.approvals.set(key, approvalScope, ctx.sessionId);
            }
            return { complete: await remove() };
          },
        });
      },
      // #endregion delete-files

      /**
       * A form that is checked by the tool and shown again with what was typed.
       *
       * @param {{ purpose?: string }} args
       * @param {import("beckon").ToolContext} ctx
       */
      // #region collect-email
      "collect-email": ({ purpose }, ctx) =>
        ctx.requestInteraction({
          type: "input",
          prompt: purpose ?? "Where can we reach you?",
          inputSchema: {
            type: "form",
            fields: [{ id: "email", type: "text", label: "E-mail address", required: true }],
            submitLabel: "Send",
          },
          onResponse({ action, input = {} }) {
            if (action !== "submit") return { complete: { ok: false, cancelled: true } };
            const email = String(input.email).trim();
            if (/^[^\s@]+@[^\s@]+$/.test(email)) return { complete: { ok: true, email } };
            return {
              reprompt: {
                type: "input",
                error: "That does not look like an e-mail address.",
                fieldErrors: { email: "There must be one @, with text on both sides." },
              },
            };
          },
        }),
      // #endregion collect-email

      /**
       * Does not hold up the agent for ever: after a while the call ends, the prompt stays open.
       *
       * @param {{ question: string, waitSeconds?: number }} args
       * @param {import("beckon").ToolContext} ctx
       */
      // #region ask-later
      "ask-later": ({ question, waitSeconds = 60 }, ctx) =>
        ctx.requestInteraction({
          type: "input",
          timeoutMs: waitSeconds * 1_000,
          inputSchema: {
            type: "form",
            fields: [{ id: "answer", type: "textarea", label: question, required: true }],
          },
          onResponse({ action, input }) {
            if (action !== "submit") return { complete: { ok: false, cancelled: true } };
            return { complete: { ok: true, answer: input?.answer } };
          },
          onTimeout: () => ({
            pending: { message: "Nobody has answered yet. The answer will arrive as a message." },
          }),
        }),
      // #endregion ask-later
    },

    shutdown() {
      log.info({ deleted: deleted.size }, "demo-tools is done");
    },
  };
}
