import { expect, test } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import { LIMITS } from "../../src/protocol/index.ts";
import { hasEvent, params, person, Rig, turnsOfTheLoop } from "./rig.ts";

const guarded = defineTool({
  name: "t_guarded",
  description: "Runs when somebody allows it",
  durable: "replay",
  parameters: params,
  approval: { key: () => "same", scopes: ["once", "session", "always"] },
  handler: () => "ran",
});

const call = (rig: Rig, sessionId: string) =>
  rig.core.callTool(person, { sessionId, toolName: "t_guarded", input: {}, origin: "http" });

for (const scope of ["session", "always"]) {
  test(`a prompt that was on its way while its like was allowed for ${scope} asks nobody`, async () => {
    await using rig = await Rig.start({ tools: [guarded] });
    const first = await rig.session();
    const second = scope === "always" ? await rig.session() : first;
    const one = call(rig, first);
    const { payload } = await rig.event(first, "interaction_request");
    let release = () => {};
    const isFree = new Promise<void>((resolve) => (release = resolve));
    const isHeld = new Promise<void>((resolve) => {
      rig.onCommit = (commit) => {
        if (!hasEvent(commit, "interaction_request")) return undefined;
        resolve();
        return isFree;
      };
    });
    // It has looked for what allows it, and found nothing.
    const other = call(rig, second);
    await isHeld;
    await rig.answer(payload.interactionId, { action: "approve", approvalScope: scope });
    expect(await one).toMatchObject({ ok: true });
    release();
    expect(await other).toMatchObject({ ok: true });
    const answers = (await rig.log(second)).filter(({ type }) => type === "interaction_response");
    expect(answers.at(-1)?.payload).toMatchObject({ grantId: expect.any(String) });
  });
}

test("what is allowed for always reaches more sessions than one page of a list holds", async () => {
  await using rig = await Rig.start({ tools: [guarded] });
  const calls = [];
  const count = LIMITS.listPageMax + 20;
  for (let made = 0; made < count; made++) calls.push(call(rig, await rig.session()));
  while ((await rig.raw.openCount()) < count) await turnsOfTheLoop(1);
  const [first] = (await rig.raw.openInteractions({ limit: 1 })).rows;
  await rig.answer(first!.id, { action: "approve", approvalScope: "always" });
  const ends = await Promise.all(calls);
  expect(ends.filter(({ ok }) => !ok)).toEqual([]);
  expect(await rig.raw.openCount()).toBe(0);
});

test("what is taken back before it reached another session leaves the prompt there open", async () => {
  await using rig = await Rig.start({ tools: [guarded] });
  const [first, second] = [await rig.session(), await rig.session()];
  const one = call(rig, first);
  const other = call(rig, second);
  const { payload } = await rig.event(first, "interaction_request");
  const { payload: left } = await rig.event(second, "interaction_request");
  let release = () => {};
  const isFree = new Promise<void>((resolve) => (release = resolve));
  rig.onCommitted = ({ writes }) => {
    if (!writes.some(({ table }) => table === "grants")) return;
    rig.onRead = (name) => (name === "openInteractions" ? isFree : undefined);
  };
  await rig.answer(payload.interactionId, { action: "approve", approvalScope: "always" });
  expect(await one).toMatchObject({ ok: true });
  const [grant] = await rig.raw.grants({ tool: "t_guarded" });
  await rig.core.revokeGrant(person, grant!.id);
  release();
  expect(await rig.raw.interaction(left.interactionId)).toMatchObject({ status: "open" });
  await rig.answer(left.interactionId, { action: "deny" });
  expect(await other).toMatchObject({ ok: false, error: { code: "tool_denied" } });
});
