import { defineTool } from "../../src/core/index.ts";
import type { ApprovalScope } from "../../src/protocol/index.ts";

interface Args {
  key?: string;
  scopes?: ApprovalScope[];
  /** The scope to remember, whatever the person chose; "chosen" for that one. */
  keep?: ApprovalScope | "chosen";
  peek?: boolean;
  forget?: boolean;
}

/** Works only with an approval, and remembers it as it is told. */
export function guarded(name: string, work: (tool: string) => void = () => {}) {
  return defineTool<Args>({
    name,
    description: "Does something that needs approval",
    durable: "replay",
    parameters: { type: "object" },
    async handler({ key = "k", scopes, keep, peek, forget }, ctx) {
      if (forget) await ctx.approvals.clearSession(ctx.sessionId);
      const remembered = await ctx.approvals.get(key);
      if (peek || forget) return { remembered };
      const run = () => ctx.step("work", () => work(name));
      if (remembered) {
        await run();
        return { ran: true, remembered };
      }
      return ctx.requestInteraction({
        type: "approval",
        prompt: "Go on?",
        ...(scopes ? { approvalScopes: scopes } : {}),
        async onResponse({ action, approvalScope = "once", reason }) {
          if (action === "deny") return { complete: { ok: false, denied: true, reason } };
          if (keep) await ctx.approvals.set(key, keep === "chosen" ? approvalScope : keep);
          await run();
          return { complete: { ran: true, approvalScope } };
        },
      });
    },
  });
}
