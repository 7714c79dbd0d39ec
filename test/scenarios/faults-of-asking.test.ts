import { expect, test } from "vitest";
import { defineTool, Departure, StoreUnavailable, type ToolContext } from "../../src/core/index.ts";
import { LIMITS } from "../../src/protocol/index.ts";
import { approve, asking, params, person, Rig } from "./rig.ts";

test("what one branch of a tool still works on after an answer goes on at the next start", async () => {
  let lives = 0;
  let begun = 0;
  const done: number[] = [];
  /** After its answer it works a little that is no step, and then does what was approved. */
  async function work(ctx: ToolContext) {
    const life = lives;
    await approve(ctx, { key: "work" });
    begun++;
    if (life === 1) await new Promise(() => {});
    await ctx.step("work", () => void done.push(life));
  }
  async function talk(ctx: ToolContext) {
    await approve(ctx, { key: "first" });
    await approve(ctx, { key: "second" });
  }
  const busy = defineTool({
    name: "t_busy",
    description: "Works and asks at the same time.",
    parameters: params,
    durable: "replay",
    async handler(_args, ctx) {
      lives++;
      await Promise.all([work(ctx), talk(ctx)]);
    },
  });
  await using rig = await Rig.start({ tools: [busy] });
  const sessionId = await rig.session();
  await rig.say(sessionId, "/call t_busy {}");
  const one = await rig.event(sessionId, "interaction_request", 1);
  const two = await rig.event(sessionId, "interaction_request", 2);
  await rig.answer(one.payload.interactionId);
  await rig.until(() => begun === 1);
  await rig.answer(two.payload.interactionId);
  await rig.event(sessionId, "interaction_request", 3);
  await rig.until(() => false);
  await rig.crash();
  // The third prompt may wait for days; what was approved must not wait for it.
  await rig.until(() => done.length > 0);
  expect(done).toHaveLength(1);
});

test("a call whose caller was sent away by a failing store is withdrawn if nobody comes back", async () => {
  await using rig = await Rig.start({ tools: [asking("t_ask", "replay")] });
  const sessionId = await rig.session();
  // Later than those that a restart would withdraw.
  await rig.clock.advance(120_000);
  let reads = 0;
  rig.onRead = (name) => {
    // The first look is the caller's, who has begun to wait: an id that was just made is not looked for.
    if (name === "call" && ++reads === 1) throw new StoreUnavailable("The disk is gone.");
  };
  const call = { sessionId, toolName: "t_ask", input: {}, origin: "http" } as const;
  const phone = new Departure();
  const end = rig.core.callTool(person, { ...call, gone: phone });
  await expect(end).rejects.toThrow(StoreUnavailable);
  phone.leave();
  await rig.event(sessionId, "interaction_request");
  for (let minute = 0; minute < 10; minute++) await rig.clock.advance(60_000);
  expect((await rig.raw.openInteractions({ sessionId, limit: 10 })).rows).toEqual([]);
});

test("an identical call takes the place of its orphaned prompt also when there is no more room", async () => {
  await using rig = await Rig.start({ tools: [asking("t_ask", "orphan")] });
  const sessionId = await rig.session();
  const call = (what: number, toolCallId: string) => {
    const input = { what };
    void rig.core
      .callTool(person, { sessionId, toolName: "t_ask", input, origin: "http", toolCallId })
      .catch(() => {});
  };
  for (let what = 1; what <= LIMITS.openPromptsPerSession; what++) call(what, `call-${what}`);
  await rig.event(sessionId, "interaction_request", LIMITS.openPromptsPerSession);
  await rig.crash();
  await rig.event(sessionId, "tool_result", LIMITS.openPromptsPerSession);
  call(1, "again");
  const nth = LIMITS.openPromptsPerSession + 1;
  const result = rig.event(sessionId, "tool_result", nth);
  const asked = rig.event(sessionId, "interaction_request", nth);
  const first = await Promise.any([asked, result]);
  await Promise.allSettled([asked, result]);
  expect(first.type === "tool_result" ? first.payload.error : undefined).toBeUndefined();
});
