import { expect } from "vitest";
import type { ApprovalScope } from "../../src/protocol/index.ts";
import { guarded } from "./guarded-tool.ts";
import { callTool, operate } from "./turns.ts";
import { verifies } from "./verifies.ts";

const ALL: ApprovalScope[] = ["once", "session", "always"];
const approve = (approvalScope?: ApprovalScope) => ({ action: "approve", approvalScope });

const done: string[] = [];
verifies(
  ["approvals:gate", "approvals:denied"],
  "the work waits for a yes; a no comes with its reason and is no error",
  { tools: [guarded("t_work", (name) => done.push(name))] },
  async (world) => {
    done.length = 0;
    const { session, client } = await world.conversation();
    const denied = await callTool(client, session.id, "t_work");
    const request = await denied.request();
    expect(done).toEqual([]);
    await client.answer(request, { action: "deny", reason: "not today" });
    expect((await denied.result()).payload).toMatchObject({
      ok: true,
      result: { ok: false, denied: true, reason: "not today" },
    });
    await denied.end();
    expect(done).toEqual([]);

    const approved = await callTool(client, session.id, "t_work");
    const again = await approved.request();
    expect(done).toEqual([]);
    await client.answer(again, approve());
    expect((await approved.result()).payload).toMatchObject({ ok: true, result: { ran: true } });
    expect(done).toEqual(["t_work"]);
  },
);

verifies(
  "approvals:offered-scopes",
  "a person picks a scope among those offered, once and session if the tool names none",
  { tools: [guarded("t_work")] },
  async (world) => {
    const { session, client } = await world.conversation();
    const byDefault = await callTool(client, session.id, "t_work");
    const first = await byDefault.request();
    expect(first.payload.approvalScopes).toEqual(["once", "session"]);
    const log = await world.log(session.id);
    expect(await client.answer(first, approve("always"))).toMatchObject({
      ok: false,
      code: "invalid_response",
    });
    expect(await world.log(session.id)).toEqual(log);
    expect((await client.answer(first, approve())).ok).toBe(true);
    expect((await byDefault.result()).payload.result).toMatchObject({ approvalScope: "once" });
    await byDefault.end();

    const narrow = await callTool(client, session.id, "t_work", { scopes: ["always"] });
    const second = await narrow.request();
    expect(second.payload.approvalScopes).toEqual(["always"]);
    expect(await client.answer(second, approve("session"))).toMatchObject({
      code: "invalid_response",
    });
    expect((await client.answer(second, approve("always"))).ok).toBe(true);
    expect((await narrow.result()).payload.result).toMatchObject({ approvalScope: "always" });
  },
);

verifies(
  "approvals:remembered",
  "an approval for the session holds in it alone, one for always in every session",
  { tools: [guarded("t_work")] },
  async (world) => {
    const { session, client } = await world.conversation();
    const other = await world.session();
    await client.subscribe(other.id);
    for (const scope of ["session", "always"] as const) {
      const input = { key: scope, scopes: ALL, keep: "chosen" };
      const first = await callTool(client, session.id, "t_work", input);
      await client.answer(await first.request(), approve(scope));
      await first.end();
      const spared = await callTool(client, session.id, "t_work", input);
      expect((await spared.result()).payload.result).toEqual({ ran: true, remembered: scope });
      await spared.end();
      const peek = await operate(world, other.id, "t_work", { key: scope, peek: true });
      expect(peek.body.result).toEqual({ remembered: scope === "always" ? "always" : null });
    }
    await world.crash();
    const after = await operate(world, session.id, "t_work", { key: "session", peek: true });
    expect(after.body.result).toEqual({ remembered: "session" });
  },
);

verifies(
  "approvals:once",
  "a once grant goes to one call, whoever asks at the same time",
  { tools: [guarded("t_work")] },
  async (world) => {
    const { session, client } = await world.conversation();
    const peek = () => operate(world, session.id, "t_work", { peek: true });
    expect((await peek()).body.result).toEqual({ remembered: null });
    const first = await callTool(client, session.id, "t_work", { keep: "once" });
    await client.answer(await first.request(), approve());
    await first.end();
    const five = await Promise.all(Array.from({ length: 5 }, peek));
    const got = five.map((reply) => reply.body.result.remembered as string | null);
    expect(got.filter((scope) => scope === "once")).toHaveLength(1);
    expect(got.filter((scope) => scope === null)).toHaveLength(4);
    expect((await peek()).body.result).toEqual({ remembered: null });
    expect((await world.http("GET", "/api/grants")).body).toEqual({ grants: [] });
  },
);
