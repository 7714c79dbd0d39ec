import { expect, test } from "vitest";
import { defineTool, type ToolDefinition } from "../../src/core/index.ts";
import { guarded } from "./guarded-tool.ts";
import { params, person, Rig } from "./rig.ts";

let worked = 0;
const work = () => void worked++;

/** Asks by itself; and one that the gate asks for. Either leaves a grant for the session. */
const TOOLS: [string, ToolDefinition, string][] = [
  ["a tool that asks by itself", guarded("t_work", work), '{"keep":"chosen"}'],
  [
    "a tool behind the gate",
    defineTool({
      name: "t_work",
      description: "Works",
      parameters: params,
      durable: "replay",
      approval: {},
      handler: (_args, ctx) => ctx.step("work", work),
    }),
    "{}",
  ],
];

test.each(TOOLS)(
  "%s does not work on a grant whose revocation was acknowledged before it could use it",
  async (_which, tool, args) => {
    worked = 0;
    await using rig = await Rig.start({ tools: [tool] });
    const sessionId = await rig.session();
    await rig.say(sessionId, `/call t_work ${args}`);
    const first = await rig.event(sessionId, "interaction_request");
    await rig.answer(first.payload.interactionId, { action: "approve", approvalScope: "session" });
    await rig.event(sessionId, "tool_result");
    expect(worked).toBe(1);
    const [grant] = (await rig.core.grants(person, { limit: 1 })).grants;
    let revoking: Promise<void> | undefined;
    rig.onCommit = (commit) => {
      const uses = commit.writes.some(
        (write) =>
          write.table === "grants" || (write.table === "journal" && write.set.kind === "grant"),
      );
      const isFirst = uses && !revoking;
      if (isFirst) revoking = rig.core.revokeGrant(person, grant?.id ?? "");
      return isFirst ? revoking : undefined;
    };
    await rig.say(sessionId, `/call t_work ${args}`);
    await rig.event(sessionId, "interaction_request", 2);
    expect(worked).toBe(1);
  },
);
