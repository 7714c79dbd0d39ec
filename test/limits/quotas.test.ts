import { describe, expect, test } from "vitest";
import type { QuotaTable } from "../../src/core/index.ts";
import { LIMITS } from "../../src/protocol/index.ts";
import { approvalTool } from "../scenarios/tools.ts";
import { World } from "../scenarios/world.ts";
import { replyOf } from "./entrances.ts";
import { QuotaCaller } from "./quota-callers.ts";
import { lowered } from "./quota-table.ts";
import { listOf } from "./values.ts";

/* What one caller may use, with lowered quotas, through every entrance. */

const MOST = 3;
const QUESTION = { type: "approval", prompt: "May I?" };
const WITHIN = listOf(MOST, () => "accepted");

function start(quotaTable: QuotaTable): Promise<World> {
  return World.start({ latency: false, tools: [approvalTool], quotaTable });
}

/** Does something one after the other, once more than is allowed; what came back each time. */
async function oneMore(act: (nth: number) => Promise<string>): Promise<string[]> {
  const replies: string[] = [];
  for (let nth = 1; nth <= MOST + 1; nth++) replies.push(await act(nth));
  return replies;
}

/** Lets the agent of a session ask; "accepted" when its prompt is there. */
async function askByAgent(caller: QuotaCaller, sessionId: string): Promise<string> {
  const client = await caller.world.person();
  await client.subscribe(sessionId);
  await caller.http("POST", `/api/sessions/${sessionId}/messages`, { content: "/call t_ask {}" });
  const frame = await client.until(
    ({ event }) => event?.type === "interaction_request" || event?.type === "tool_result",
  );
  client.terminate();
  return frame["event"].payload.error?.code ?? "accepted";
}

type Ask = (caller: QuotaCaller, sessionId: string) => Promise<string>;
const ASKS: Record<string, Ask> = {
  "POST /api/interactions": async (caller, sessionId) =>
    replyOf(await caller.http("POST", "/api/interactions", { sessionId, ...QUESTION })),
  "POST /api/interactions in process": async (caller, sessionId) =>
    replyOf(await caller.fetch("POST", "/api/interactions", { sessionId, ...QUESTION })),
};

describe("sessionsPerDay", () => {
  const MAKES: Record<string, (caller: QuotaCaller) => Promise<string>> = {
    "POST /api/sessions": async (caller) => replyOf(await caller.http("POST", "/api/sessions", {})),
    "POST /api/sessions in process": async (caller) =>
      replyOf(await caller.fetch("POST", "/api/sessions", {})),
  };
  for (const [through, make] of Object.entries(MAKES)) {
    test.each(["machine", "bound"] as const)(`${through} by a %s`, async (kind) => {
      await using world = await start(lowered({ sessionsPerDay: { [kind]: MOST } }));
      const caller = await QuotaCaller.of(world, kind);
      expect(await oneMore(() => make(caller))).toEqual([...WITHIN, "429 too_many"]);
    });
  }

  test("a session that is made for asking counts too", async () => {
    await using world = await start(lowered({ sessionsPerDay: { machine: 1 } }));
    const caller = await QuotaCaller.of(world, "machine");
    expect(replyOf(await caller.http("POST", "/api/sessions", {}))).toBe("accepted");
    const asked = await caller.http("POST", "/api/interactions", QUESTION);
    expect(asked.body).toMatchObject({ code: "too_many", quota: "sessionsPerDay", limit: 1 });
  });

  test("is counted over a restart, and given again after a day or by a person who deletes", async () => {
    await using world = await start(lowered({ sessionsPerDay: { machine: 2 } }));
    const caller = await QuotaCaller.of(world, "machine");
    const make = async () => replyOf(await caller.http("POST", "/api/sessions", {}));
    const id = await caller.session();
    await make();
    await world.crash();
    expect(await make()).toBe("429 too_many");
    await world.http("DELETE", `/api/sessions/${id}`);
    expect(await make()).toBe("accepted");
    expect(await make()).toBe("429 too_many");
    world.clock.jump(24 * 60 * 60 * 1_000 + 1);
    expect(await make()).toBe("accepted");
  });
});

describe("openPrompts", () => {
  const table = (kind: "machine" | "bound") => lowered({ openPrompts: { [kind]: MOST } });
  for (const [through, ask] of Object.entries(ASKS)) {
    test.each(["machine", "bound"] as const)(`${through} by a %s`, async (kind) => {
      await using world = await start(table(kind));
      const caller = await QuotaCaller.of(world, kind);
      const sessions = [await caller.session(), await caller.session()];
      const replies = await oneMore((nth) => ask(caller, sessions[nth % 2]!));
      expect(replies).toEqual([...WITHIN, "429 too_many"]);
    });
  }

  test("by the agent of a machine's session: the call fails with too_many", async () => {
    await using world = await start(table("machine"));
    const caller = await QuotaCaller.of(world, "machine");
    const replies = await oneMore(async () => askByAgent(caller, await caller.session()));
    expect(replies).toEqual([...WITHIN, "too_many"]);
  });

  test("is counted over a restart, and given again by an answer", async () => {
    await using world = await start(lowered({ openPrompts: { machine: 1 } }));
    const caller = await QuotaCaller.of(world, "machine");
    const ask = () => caller.http("POST", "/api/interactions", QUESTION);
    const { id } = (await ask()).body;
    await world.crash();
    const refused = await ask();
    expect(refused.body).toMatchObject({ code: "too_many", quota: "openPrompts", limit: 1 });
    expect(refused.headers.get("retry-after")).toBe("10");
    await world.http("POST", `/api/interactions/${id}/respond`, { action: "deny" });
    expect(replyOf(await ask())).toBe("accepted");
  });

  test("many that ask at once do not slip past it", async () => {
    await using world = await start(table("machine"));
    const caller = await QuotaCaller.of(world, "machine");
    const sessions = await Promise.all(listOf(10, () => caller.session()));
    const ask = ASKS["POST /api/interactions"]!;
    const replies = await Promise.all(sessions.map((id) => ask(caller, id)));
    expect(replies.filter((reply) => reply === "accepted").length).toBeLessThanOrEqual(MOST);
    expect(await world.store.openCount()).toBeLessThanOrEqual(MOST);
  });

  test("of all machines together leaves room for people and their agents", async () => {
    await using world = await start(lowered({ openPrompts: { machines: MOST } }));
    const replies = await oneMore(async () => {
      const caller = await QuotaCaller.of(world, "machine");
      return ASKS["POST /api/interactions"]!(caller, await caller.session());
    });
    expect(replies).toEqual([...WITHIN, "429 too_many"]);
    const owner = new QuotaCaller(world, world.owner);
    expect(await ASKS["POST /api/interactions"]!(owner, await owner.session())).toBe("accepted");
    expect(await askByAgent(owner, await owner.session())).toBe("accepted");
  });

  test("a machine leaves the last ones of a session to the session's own agent", async () => {
    await using world = await start(lowered({}));
    const { id } = await world.session();
    const guest = new QuotaCaller(world, await world.machine(id));
    const room = LIMITS.openPromptsPerSession - LIMITS.openPromptsKeptForSession;
    const ask = () => ASKS["POST /api/interactions"]!(guest, id);
    for (let nth = 1; nth <= room; nth++) expect(await ask()).toBe("accepted");
    expect(await ask()).toBe("429 too_many");
    expect(await askByAgent(new QuotaCaller(world, world.owner), id)).toBe("accepted");
  });
});

describe("asksPerMinute", () => {
  const table = (kind: string) => lowered({ asksPerMinute: { [kind]: MOST } });
  const operation = async (caller: QuotaCaller, sessionId: string) =>
    replyOf(
      await caller.http(
        "POST",
        "/api/plugins/ask/operations/user",
        { wrong: true },
        { "x-session-id": sessionId },
      ),
    );
  for (const [through, ask] of Object.entries(ASKS)) {
    test.each(["machine", "bound", "person"] as const)(`${through} by a %s`, async (kind) => {
      await using world = await start(table(kind));
      const caller = await QuotaCaller.of(world, kind);
      const sessionId = await caller.session();
      expect(await oneMore(() => ask(caller, sessionId))).toEqual([...WITHIN, "429 too_many"]);
    });
  }

  test("calls of operations, whatever becomes of them", async () => {
    await using world = await start(table("machine"));
    const caller = await QuotaCaller.of(world, "machine");
    const sessionId = await caller.session();
    const replies = await oneMore(() => operation(caller, sessionId));
    const refused = listOf(MOST, () => "invalid_arguments");
    expect(replies).toEqual([...refused, "429 too_many"]);
    await world.advance(60_000);
    expect(await operation(caller, sessionId)).toBe("invalid_arguments");
  });

  test("prompts of the agent of a machine's session: the call fails with too_many", async () => {
    await using world = await start(table("machine"));
    const caller = await QuotaCaller.of(world, "machine");
    const replies = await oneMore(async () => askByAgent(caller, await caller.session()));
    expect(replies).toEqual([...WITHIN, "too_many"]);
  });

  test("who asks the same again is told the same, and pays once", async () => {
    await using world = await start(lowered({ asksPerMinute: { machine: 1 } }));
    const caller = await QuotaCaller.of(world, "machine");
    const body = { requestId: "same", ...QUESTION };
    const statuses = [];
    for (let nth = 0; nth < 3; nth++) {
      statuses.push((await caller.http("POST", "/api/interactions", body)).status);
    }
    expect(statuses).toEqual([201, 200, 200]);
  });
});

describe("messagesPerMinute", () => {
  type Say = (caller: QuotaCaller, sessionId: string) => Promise<string>;
  const framed =
    (open: "socket" | "direct"): Say =>
    async (caller, sessionId) => {
      const client = await caller[open]();
      const { type, code } = await client.say(sessionId, "hello");
      client.terminate();
      return type === "ack" ? "accepted" : `429 ${code}`;
    };
  const SAYS: Record<string, Say> = {
    HTTP: async (caller, sessionId) =>
      replyOf(
        await caller.http("POST", `/api/sessions/${sessionId}/messages`, { content: "hello" }),
      ),
    "a WebSocket": framed("socket"),
    "the direct channel": framed("direct"),
  };
  for (const [through, say] of Object.entries(SAYS)) {
    test.each(["machine", "bound", "person"] as const)(`${through} by a %s`, async (kind) => {
      await using world = await start(lowered({ messagesPerMinute: { [kind]: MOST } }));
      const caller = await QuotaCaller.of(world, kind);
      const replies = await oneMore(async () => say(caller, await caller.session()));
      expect(replies).toEqual([...WITHIN, "429 too_many"]);
      await world.advance(60_000);
      expect(await say(caller, await caller.session())).toBe("accepted");
    });
  }
});

test("what a machine makes pays with its budget, also tokens that are lent in its sessions", async () => {
  await using world = await start(lowered({ sessionsPerDay: { machine: 3, bound: 100 } }));
  const caller = await QuotaCaller.of(world, "machine");
  const lent = new QuotaCaller(world, await world.machine(await caller.session()));
  const lentAgain = new QuotaCaller(world, await world.machine(await lent.session()));
  expect(replyOf(await lentAgain.http("POST", "/api/sessions", {}))).toBe("accepted");
  for (const one of [caller, lent, lentAgain]) {
    expect(replyOf(await one.http("POST", "/api/sessions", {}))).toBe("429 too_many");
  }
});
