import { defineTool } from "../../src/core/index.ts";
import { approvalTool, askingTool, Gate } from "../scenarios/tools.ts";
import { listOf } from "./values.ts";

/** Holds `t_held` when its time is up. */
export const held = new Gate();
const again = { reprompt: { type: "input" } } as const;

/** `t_repeat`: asks again so many times, whether it was answered or not. */
const repeatTool = askingTool<{ times: number }>("t_repeat", ({ times }) => {
  let asked = 0;
  const next = () => (++asked > times ? { complete: "accepted" } : again);
  return { type: "input", timeoutMs: 1_000, onResponse: next, onTimeout: next };
});

/** `t_many`: asks so many things at once. */
const manyTool = defineTool<{ count: number }>({
  name: "t_many",
  description: "Asks many things at once.",
  parameters: { type: "object" },
  handler: ({ count }, ctx) =>
    Promise.all(
      listOf(count, (index) =>
        ctx.requestInteraction({
          type: "approval",
          key: `k${index}`,
          onResponse: () => ({ complete: index }),
        }),
      ),
    ),
});

/** `t_later`: its prompt is queued when time is up. */
const laterTool = askingTool("t_later", () => ({
  type: "approval",
  timeoutMs: 1_000,
  onResponse: () => ({ complete: "done" }),
  onTimeout: () => ({ pending: { message: "Later." } }),
}));

/** `t_held`: takes its time when time is up. */
const heldTool = askingTool("t_held", () => ({
  type: "approval",
  timeoutMs: 1_000,
  onResponse: () => ({ complete: "done" }),
  async onTimeout() {
    await held.pass();
    return { complete: "over" };
  },
}));

export const COUNT_TOOLS = [repeatTool, manyTool, laterTool, heldTool, approvalTool];
