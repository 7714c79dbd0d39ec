import { expect, test } from "vitest";
import { defineTool, StoreUnavailable } from "../../src/core/index.ts";
import { approve, hasEvent, HEARTBEAT_MS, params, person, Rig } from "./rig.ts";
import { createDoor } from "./turns.ts";

test("a late answer that is stored is acknowledged, even if its turn can only start later", async () => {
  const later = defineTool({
    name: "t_later",
    description: "Lets the answer come later.",
    parameters: params,
    durable: "replay",
    handler: (_args, ctx) =>
      approve(ctx, { timeoutMs: 1_000, onTimeout: () => ({ pending: { message: "later" } }) }),
  });
  await using rig = await Rig.start({ tools: [later] });
  const sessionId = await rig.session();
  await rig.say(sessionId, "/call t_later {}");
  const { payload } = await rig.event(sessionId, "interaction_request");
  await rig.clock.advance(1_000);
  await rig.event(sessionId, "turn_end");
  let failed = false;
  rig.onCommit = (commit) => {
    if (failed || !hasEvent(commit, "turn_start")) return;
    failed = true;
    throw new StoreUnavailable("The disk is full.");
  };
  expect(await rig.answer(payload.interactionId)).toMatchObject({ status: "answered" });
  expect(failed).toBe(true);
  await rig.clock.advance(HEARTBEAT_MS);
  await rig.event(sessionId, "turn_end", 2);
});

// A store over a network does not say ahead what a commit comes to: there the next one waits for it.
const saysAhead = process.env["BECKON_MODES"] !== "twoNodesPostgres";

test.runIf(saysAhead)(
  "what is stored with a commit that takes long holds up no other commit of its run",
  async () => {
    const both = defineTool({
      name: "t_both",
      description: "Looks who is there, and does and asks something at once.",
      parameters: params,
      durable: "replay",
      async handler(_args, ctx) {
        const { available } = ctx.interaction;
        const [done, answer] = await Promise.all([ctx.step("do", () => available), approve(ctx)]);
        return { done, answer };
      },
    });
    await using rig = await Rig.start({ tools: [both] });
    const sessionId = await rig.session();
    const slow = createDoor();
    let held = 0;
    let tries = 0;
    rig.onCommit = (commit) => {
      if (hasEvent(commit, "interaction_request")) tries++;
    };
    rig.onCommitted = async ({ writes, events }) => {
      // Its value; the prompt waits for nothing but what was taken before it.
      const isOfStep = writes.some(
        ({ table, id }) => table === "journal" && id[1]?.includes("|step|"),
      );
      if (!isOfStep || events.length > 0 || held++ > 0) return;
      slow.arrive();
      await slow.opened;
    };
    await rig.say(sessionId, "/call t_both {}");
    await slow.reached;
    const { payload } = await rig.event(sessionId, "interaction_request");
    // What the commit before it stores, it does not carry.
    expect(tries).toBe(1);
    slow.open();
    await rig.answer(payload.interactionId);
    const result = await rig.event(sessionId, "tool_result");
    expect(result.payload).toMatchObject({ ok: true, result: { done: true, answer: "approve" } });
  },
);

test("who subscribes while the store cannot be read gets the log when it can", async () => {
  await using rig = await Rig.start({ tools: [] });
  const sessionId = await rig.session();
  await rig.say(sessionId, "hello");
  await rig.event(sessionId, "turn_end");
  let failures = 2;
  rig.onRead = (name) => {
    if (name === "events" && failures-- > 0) throw new StoreUnavailable("The disk is gone.");
  };
  const seen: (number | undefined)[] = [];
  const sink = {
    send: ({ seq }: { seq?: number }) => void seen.push(seq),
    drained: async () => {},
  };
  await rig.core.subscribe(person, { sessionId }, sink, () => {});
  await rig.clock.advance(HEARTBEAT_MS);
  expect(seen).toEqual((await rig.log(sessionId)).map((event) => event.seq));
});

test("a deadline that a sleeping machine slept over is kept soon after it wakes", async () => {
  const short = defineTool({
    name: "t_short",
    description: "Waits half an hour.",
    parameters: params,
    durable: "replay",
    handler: (_args, ctx) => approve(ctx, { timeoutMs: 1_800_000 }),
  });
  await using rig = await Rig.start({ tools: [short] });
  const sessionId = await rig.session();
  await rig.say(sessionId, "/call t_short {}");
  await rig.event(sessionId, "interaction_request");
  // The wall clock goes on while a machine sleeps; what is left of a timer does not.
  rig.clock.jump(3_600_000);
  await rig.clock.advance(HEARTBEAT_MS);
  const log = await rig.log(sessionId);
  const result = log.find((event) => event.type === "tool_result");
  expect(result?.payload.error?.code).toBe("interaction_timeout");
});

test("a disk that has no room for a result for long does not cost the call its answer", async () => {
  const ask = defineTool({
    name: "t_ask",
    description: "Asks.",
    parameters: params,
    durable: "replay",
    handler: (_args, ctx) => approve(ctx),
  });
  await using rig = await Rig.start({ tools: [ask] });
  const sessionId = await rig.session();
  await rig.say(sessionId, "/call t_ask {}");
  const { payload } = await rig.event(sessionId, "interaction_request");
  let refused = 0;
  // What is short still finds room.
  rig.onCommit = (commit) => {
    if (!hasEvent(commit, "tool_result")) return;
    refused++;
    throw new StoreUnavailable("The disk is full.");
  };
  await rig.answer(payload.interactionId);
  for (let beat = 0; beat < 12; beat++) {
    const before = refused;
    await expect
      .poll(() => rig.clock.advance(HEARTBEAT_MS).then(() => refused))
      .toBeGreaterThan(before);
  }
  rig.onCommit = () => {};
  await rig.clock.advance(HEARTBEAT_MS);
  const { payload: end } = await rig.event(sessionId, "tool_result");
  expect(end.ok).toBe(true);
  await rig.event(sessionId, "turn_end");
});
