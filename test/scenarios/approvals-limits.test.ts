import { expect } from "vitest";
import { defineTool, type HookOutcome, type ToolContext } from "../../src/core/index.ts";
import { guarded } from "./guarded-tool.ts";
import { callTool, operate } from "./turns.ts";
import { verifies } from "./verifies.ts";

verifies(
  "approvals:tool-keys",
  "a grant covers its own key of its own tool",
  { tools: [guarded("t_work"), guarded("t_other")] },
  async (world) => {
    const { session, client } = await world.conversation();
    const first = await callTool(client, session.id, "t_work", { key: "rm a", keep: "session" });
    await client.answer(await first.request(), { action: "approve", approvalScope: "session" });
    await first.end();
    const peek = async (tool: "t_work" | "t_other", key: string) =>
      (await operate(world, session.id, tool, { key, peek: true })).body.result.remembered;
    expect(await peek("t_work", "rm a")).toBe("session");
    expect(await peek("t_work", "rm b")).toBeNull();
    expect(await peek("t_work", "rm")).toBeNull();
    expect(await peek("t_other", "rm a")).toBeNull();
  },
);

verifies(
  "approvals:clear-session",
  "forgetting a session's approvals leaves those of other sessions, other tools and for always",
  { tools: [guarded("t_work"), guarded("t_other")] },
  async (world) => {
    const { session, client } = await world.conversation();
    const other = await world.session();
    await client.subscribe(other.id);
    const keep = async (sessionId: string, tool: string, scope: "session" | "always") => {
      const input = { key: scope, scopes: [scope], keep: scope };
      const call = await callTool(client, sessionId, tool, input);
      await client.answer(await call.request(), { action: "approve", approvalScope: scope });
      await call.end();
    };
    await keep(session.id, "t_work", "session");
    await keep(session.id, "t_work", "always");
    await keep(session.id, "t_other", "session");
    await keep(other.id, "t_work", "session");
    const cleared = await operate(world, session.id, "t_work", { key: "session", forget: true });
    expect(cleared.body.result).toEqual({ remembered: null });
    const peek = async (sessionId: string, tool: "t_work" | "t_other", key: string) =>
      (await operate(world, sessionId, tool, { key, peek: true })).body.result.remembered;
    expect(await peek(session.id, "t_work", "session")).toBeNull();
    expect(await peek(session.id, "t_work", "always")).toBe("always");
    expect(await peek(session.id, "t_other", "session")).toBe("session");
    expect(await peek(other.id, "t_work", "session")).toBe("session");
  },
);

verifies(
  "approvals:tool-may-ignore",
  "an approval that the tool does not keep is asked for again",
  { tools: [guarded("t_work")] },
  async (world) => {
    const { session, client } = await world.conversation();
    for (let times = 0; times < 2; times++) {
      const call = await callTool(client, session.id, "t_work", { scopes: ["always"] });
      await client.answer(await call.request(), { action: "approve", approvalScope: "always" });
      expect((await call.result()).payload.result).toMatchObject({ ran: true });
      await call.end();
    }
    expect((await world.http("GET", "/api/grants")).body).toEqual({ grants: [] });
    const peek = await operate(world, session.id, "t_work", { peek: true });
    expect(peek.body.result).toEqual({ remembered: null });
  },
);

verifies(
  "approvals:remembered",
  "people see what is remembered, and what they revoke is asked for again",
  { tools: [guarded("t_work")] },
  async (world) => {
    const { session, client } = await world.conversation();
    const input = { key: "deploy", scopes: ["always"], keep: "always" };
    const first = await callTool(client, session.id, "t_work", input);
    const request = await first.request();
    await client.answer(request, { action: "approve", approvalScope: "always" });
    await first.end();
    const { grants } = (await world.http("GET", "/api/grants")).body;
    expect(grants).toHaveLength(1);
    expect(grants[0]).toMatchObject({ toolName: "t_work", key: "deploy", scope: "always" });
    expect(grants[0]).toMatchObject({ id: expect.any(String), by: "owner", byName: "Owner" });
    const path = `/api/grants/${grants[0].id}`;
    expect((await world.http("DELETE", path)).status).toBe(200);
    expect((await world.http("GET", "/api/grants")).body).toEqual({ grants: [] });
    expect(await world.http("DELETE", path)).toMatchObject({
      status: 404,
      body: { code: "not_found" },
    });
    const second = await callTool(client, session.id, "t_work", input);
    expect((await second.request()).payload.interactionId).not.toBe(request.payload.interactionId);
  },
);

type Attempt = (ctx: ToolContext) => Promise<unknown>;
/** Asks once, and tries `inHook` when the answer is there. */
function asking(name: string, type: "approval" | "input", inHook: Attempt) {
  return defineTool({
    name,
    description: "Asks, then tries to remember something",
    durable: "replay",
    parameters: { type: "object" },
    handler: (_args, ctx) =>
      ctx.requestInteraction({
        type,
        async onResponse(): Promise<HookOutcome> {
          await inHook(ctx);
          return { complete: "kept" };
        },
      }),
  });
}

/** Of a call for which nobody was asked. */
let unasked: ToolContext;

verifies(
  "approvals:no-wider",
  "a tool keeps what the person chose, or less, while it looks at that very approval",
  {
    tools: [
      asking("t_wider", "approval", (ctx) => ctx.approvals.set("k", "session")),
      asking("t_nonsense", "approval", (ctx) => ctx.approvals.set("k", "forever" as "always")),
      asking("t_elsewhere", "approval", (ctx) => ctx.approvals.set("k", "once", "other")),
      asking("t_input", "input", (ctx) => ctx.approvals.set("k", "once")),
      asking("t_fits", "approval", (ctx) => ctx.approvals.set("k", "once")),
      asking("t_borrower", "approval", () => unasked.approvals.set("k", "once")),
      defineTool({
        name: "t_unasked",
        description: "Remembers an approval that nobody gave",
        durable: "replay",
        parameters: { type: "object" },
        handler(_args, ctx) {
          unasked = ctx;
          return ctx.approvals.set("k", "always");
        },
      }),
    ],
  },
  async (world) => {
    const { session, client } = await world.conversation();
    const refused = await operate(world, session.id, "t_unasked");
    expect(refused.body).toMatchObject({ ok: false, code: "grant_refused" });
    for (const [tool, action] of [
      ["t_wider", "approve"],
      ["t_nonsense", "approve"],
      ["t_elsewhere", "approve"],
      ["t_input", "submit"],
      ["t_borrower", "approve"],
      ["t_fits", "deny"],
    ] as const) {
      const call = await callTool(client, session.id, tool);
      await client.answer(await call.request(), { action });
      const { payload } = await call.result();
      expect({ tool, ...payload }).toMatchObject({ ok: false, error: { code: "grant_refused" } });
      await call.end();
    }
    expect((await world.http("GET", "/api/grants")).body).toEqual({ grants: [] });
    const fits = await callTool(client, session.id, "t_fits");
    const request = await fits.request();
    await client.answer(request, { action: "approve", approvalScope: "session" });
    expect((await fits.result()).payload).toMatchObject({ ok: true, result: "kept" });
    const { grants } = (await world.http("GET", "/api/grants")).body;
    expect(grants).toMatchObject([{ toolName: "t_fits", scope: "once", sessionId: session.id }]);
  },
);

verifies(
  "approvals:default-once",
  "an approval sent without a scope is one for this time, and nothing wider can be kept of it",
  { tools: [guarded("t_work")] },
  async (world) => {
    const { session, client } = await world.conversation();
    const wider = await callTool(client, session.id, "t_work", { keep: "session" });
    await client.answer(await wider.request(), { action: "approve" });
    expect((await wider.result()).payload).toMatchObject({
      ok: false,
      error: { code: "grant_refused" },
    });
    await wider.end();
    const kept = await callTool(client, session.id, "t_work", { keep: "once" });
    const request = await kept.request();
    const path = `/api/interactions/${request.payload.interactionId}/respond`;
    const record = (await world.http("POST", path, { action: "approve" })).body;
    expect(record.response).toMatchObject({ action: "approve", approvalScope: "once" });
    expect((await kept.result()).payload.result).toEqual({ ran: true, approvalScope: "once" });
    const { grants } = (await world.http("GET", "/api/grants")).body;
    expect(grants).toMatchObject([{ scope: "once" }]);
  },
);

{
  /** Looks at, or forgets, what was approved in the session that it is given. */
  const looking = defineTool<{ at?: string; forget?: string }>({
    name: "t_look",
    description: "Asks for an approval, or looks for one",
    durable: "replay",
    parameters: { type: "object" },
    async handler({ at, forget }, ctx) {
      if (forget) await ctx.approvals.clearSession(forget);
      if (at) return { found: await ctx.approvals.get("key", at) };
      return ctx.requestInteraction({
        type: "approval",
        async onResponse({ approvalScope = "once" }) {
          await ctx.approvals.set("key", approvalScope);
          return { complete: approvalScope };
        },
      });
    },
  });

  verifies(
    "approvals:clear-session",
    "a tool may look at and forget the approvals of another session of the same owner, and of no other",
    { tools: [looking] },
    async (world) => {
      const { session, client } = await world.conversation();
      const other = await world.session();
      await client.subscribe(other.id);
      const asked = await callTool(client, session.id, "t_look");
      const answer = { action: "approve", approvalScope: "session" };
      await client.answer(await asked.request(), answer);
      await asked.end();
      const found = async (input: Record<string, unknown>) => {
        const turn = await callTool(client, other.id, "t_look", input);
        await turn.end();
        const { ok, result, error } = (await turn.result()).payload;
        return ok ? result : error?.code;
      };
      expect(await found({ at: session.id })).toEqual({ found: "session" });
      expect(await found({ at: other.id })).toEqual({ found: null });
      const machine = { authorization: `Bearer ${await world.machine()}` };
      const foreign = (await world.http("POST", "/api/sessions", {}, machine)).body;
      expect(await found({ at: foreign.id })).toBe("grant_refused");
      expect(await found({ forget: foreign.id })).toBe("grant_refused");
      expect(await found({ at: "nowhere" })).toBe("grant_refused");
      const deleted = await world.session();
      await world.http("DELETE", `/api/sessions/${deleted.id}`);
      expect(await found({ at: deleted.id })).toBe("grant_refused");
      expect(await found({ forget: session.id, at: session.id })).toEqual({ found: null });
      expect((await world.http("GET", "/api/grants")).body.grants).toEqual([]);
    },
  );
}
