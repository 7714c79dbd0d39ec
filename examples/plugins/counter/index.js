/**
 * @param {import("beckon/plugin").PluginSetup<{ start: number }>} setup
 * @returns {import("beckon/plugin").PluginInstance}
 */
export default function counter({ settings, log }) {
  let count = settings.start;
  return {
    operations: {
      /** @param {{ by?: number }} args */
      next({ by = 1 }) {
        count += by;
        return { count };
      },

      /**
       * @param {{}} _args
       * @param {import("beckon/plugin").OperationContext} ctx
       */
      reset: (_args, ctx) =>
        ctx.requestInteraction({
          type: "approval",
          prompt: "Forget the count?",
          approvalScopes: ["once"],
          onResponse({ action }) {
            if (action === "approve") count = settings.start;
            return { complete: { ok: action === "approve" } };
          },
        }),
    },

    shutdown() {
      log.info({ count }, "counted");
    },
  };
}
