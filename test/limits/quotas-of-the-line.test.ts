import { describe, expect, test } from "vitest";
import type { QuotaTable } from "../../src/core/index.ts";
import { QUOTAS } from "../../src/protocol/index.ts";
import { World } from "../scenarios/world.ts";
import { replyOf } from "./entrances.ts";
import { QuotaCaller } from "./quota-callers.ts";
import { lowered } from "./quota-table.ts";
import { listOf } from "./values.ts";

/* What one caller may send, read and keep open, with lowered quotas, through every entrance. */

const MOST = 3;
const WITHIN = listOf(MOST, () => "accepted");
const KINDS = ["machine", "bound", "person"] as const;

function start(quotaTable: QuotaTable): Promise<World> {
  return World.start({ latency: false, quotaTable });
}

async function times(count: number, act: () => Promise<string>): Promise<string[]> {
  const replies: string[] = [];
  while (replies.length < count) replies.push(await act());
  return replies;
}

const LINES = ["socket", "direct"] as const;
const DOORS = ["http", "fetch"] as const;

describe("requestsPerMinute", () => {
  for (const door of DOORS) {
    test.each(KINDS)(`${door} by a %s`, async (kind) => {
      await using world = await start(lowered({ requestsPerMinute: { [kind]: MOST } }));
      const caller = await QuotaCaller.of(world, kind);
      const ask = async () => replyOf(await caller[door]("GET", "/api/auth/me"));
      expect(await times(MOST + 1, ask)).toEqual([...WITHIN, "429 too_many"]);
      await world.advance(60_000);
      expect(await ask()).toBe("accepted");
    });
  }

  test.each(LINES)(
    "frames by a %s: the socket stays, and what it is told says when",
    async (line) => {
      await using world = await start(lowered({ requestsPerMinute: { machine: MOST } }));
      const caller = await QuotaCaller.of(world, "machine");
      const client = await caller[line]();
      const ping = async () => (await client.ask({ type: "ping" }))["code"] ?? "accepted";
      // The hello was one.
      expect(await times(MOST, ping)).toEqual([...WITHIN.slice(1), "too_many"]);
      const refused = await client.ask({ type: "ping" });
      expect(refused).toMatchObject({ quota: "requestsPerMinute", limit: MOST, retryAfter: 20 });
      await world.advance(60_000);
      expect(await ping()).toBe("accepted");
      client.terminate();
    },
  );

  test("of all machines together leaves people alone", async () => {
    await using world = await start(lowered({ requestsPerMinute: { machines: MOST } }));
    const machines = [
      await QuotaCaller.of(world, "machine"),
      await QuotaCaller.of(world, "machine"),
    ];
    let nth = 0;
    const ask = async () => replyOf(await machines[nth++ % 2]!.http("GET", "/api/auth/me"));
    expect(await times(MOST + 1, ask)).toEqual([...WITHIN, "429 too_many"]);
    expect(replyOf(await world.http("GET", "/api/auth/me"))).toBe("accepted");
  });

  test("who is not known is refused as such, whatever others have used", async () => {
    await using world = await start(lowered({ requestsPerMinute: { machines: 0, person: 0 } }));
    const { status } = await world.http("GET", "/api/sessions", undefined, { authorization: "" });
    expect(status).toBe(401);
    expect((await world.http("GET", "/api/health")).status).toBe(200);
  });
});

describe("bytesWrittenPerMinute", () => {
  test.each(KINDS)("bodies by a %s: what has begun is taken, then nothing", async (kind) => {
    await using world = await start(lowered({ bytesWrittenPerMinute: { [kind]: 1_000 } }));
    const caller = await QuotaCaller.of(world, kind);
    const send = async () =>
      replyOf(
        await caller.http("POST", "/api/sessions", {
          title: "x".repeat(190),
          pad: "y".repeat(500),
        }),
      );
    expect(await times(3, send)).toEqual(["accepted", "accepted", "429 too_many"]);
    await world.advance(60_000);
    expect(await send()).toBe("accepted");
  });

  test("a length that is only claimed uses up nobody's share", async () => {
    await using world = await start(QUOTAS);
    const liar = await QuotaCaller.of(world, "bound");
    const other = await QuotaCaller.of(world, "machine");
    const claim = { "content-length": "1000000000000" };
    const lie = async () => replyOf(await liar.fetch("POST", "/api/sessions", {}, claim));
    expect(await times(MOST, lie)).toEqual(listOf(MOST, () => "413 too_large"));
    expect(replyOf(await other.fetch("POST", "/api/sessions", {}))).toBe("accepted");
    expect(replyOf(await liar.fetch("POST", "/api/sessions", {}))).toBe("accepted");
  });

  test.each(LINES)("frames by a %s", async (line) => {
    await using world = await start(lowered({ bytesWrittenPerMinute: { machine: 1_000 } }));
    const client = await (await QuotaCaller.of(world, "machine"))[line]();
    const send = async () =>
      (await client.ask({ type: "ping", pad: "x".repeat(500) }))["code"] ?? "accepted";
    expect(await times(3, send)).toEqual(["accepted", "accepted", "too_many"]);
    client.terminate();
  });
});

describe("bytesReadPerMinute", () => {
  for (const door of DOORS) {
    test.each(KINDS)(
      `${door} by a %s: who was sent too much is refused until it is made up for`,
      async (kind) => {
        await using world = await start(lowered({ bytesReadPerMinute: { [kind]: 30_000 } }));
        const caller = await QuotaCaller.of(world, kind);
        const read = async () => replyOf(await caller[door]("GET", "/api/openapi.json"));
        expect(await read()).toBe("accepted");
        await expect.poll(read).toBe("429 too_many");
        await world.advance(10 * 60_000);
        expect(await read()).toBe("accepted");
      },
    );
  }

  test.each(LINES)(
    "a replay by a %s goes on at the pace of the quota, and loses nothing",
    async (line) => {
      await using world = await start(lowered({ bytesReadPerMinute: { machine: 200_000 } }));
      const caller = await QuotaCaller.of(world, "machine");
      const sessionId = await caller.session();
      const events = listOf(3_000, (index) => ({
        id: `${sessionId}-${index}`,
        type: "text" as const,
        at: world.clock.now(),
        payload: { text: "x".repeat(100) },
      }));
      await world.store.commit({ sessionId, writes: [], events });
      const client = await caller[line]();
      await client.subscribe(sessionId);
      await client.event("text");
      expect(client.events().length).toBeLessThan(3_000);
      while (client.events().length < 3_000) await world.advance(60_000);
      expect(client.events().map(({ seq }) => seq)).toEqual(listOf(3_000, (index) => index + 1));
      client.terminate();
    },
  );
});

describe("sockets", () => {
  test.each(KINDS)(
    "WebSockets by a %s: the upgrade is refused until one is closed",
    async (kind) => {
      await using world = await start(lowered({ sockets: { [kind]: MOST } }));
      const caller = await QuotaCaller.of(world, kind);
      const clients = await Promise.all(listOf(MOST, () => caller.socket()));
      await expect(caller.socket()).rejects.toThrow("429");
      clients[0]!.terminate();
      await expect
        .poll(() =>
          caller.socket().then(
            () => "in",
            () => "out",
          ),
        )
        .toBe("in");
    },
  );

  test("in process: the channel is closed, with a sentence", async () => {
    await using world = await start(lowered({ sockets: { machine: 1 } }));
    const caller = await QuotaCaller.of(world, "machine");
    const first = await caller.direct();
    const channel = world.node.connect(caller.token);
    const closed = await new Promise((resolve) => {
      channel.onClose = (code, reason) => resolve({ code, reason });
    });
    expect(closed).toMatchObject({ code: 4029, reason: expect.stringContaining("1 connections") });
    first.terminate();
  });

  test("streams and requests that wait count too", async () => {
    await using world = await start(lowered({ sockets: { machine: 1 } }));
    const caller = await QuotaCaller.of(world, "machine");
    const { body } = await caller.http("POST", "/api/interactions", { type: "approval" });
    const events = `${world.node.url}/api/sessions/${body.sessionId}/events`;
    const headers = { authorization: `Bearer ${caller.token}`, accept: "text/event-stream" };
    const stream = await fetch(events, { headers });
    expect(stream.status).toBe(200);
    expect((await fetch(events, { headers })).status).toBe(429);
    const wait = () => caller.http("GET", `/api/interactions/${body.id}?wait=60`);
    expect(replyOf(await wait())).toBe("429 too_many");
    const message = { content: "hello" };
    const path = `/api/sessions/${body.sessionId}/messages`;
    const turn = await caller.http("POST", path, message, { accept: "text/event-stream" });
    expect(replyOf(turn)).toBe("429 too_many");
    expect((await world.log(body.sessionId)).map(({ type }) => type)).not.toContain("user_message");
    await stream.body!.cancel();
    const connect = () => caller.socket().then((client) => client.terminate());
    await expect.poll(connect).toBeUndefined();
    const answered = async (): Promise<void> =>
      (await wait()).body.status === "answered" ? undefined : answered();
    const waiting = answered();
    await expect
      .poll(() =>
        connect().then(
          () => "connected",
          (error: Error) => error.message,
        ),
      )
      .toContain("429");
    await world.http("POST", `/api/interactions/${body.id}/respond`, { action: "deny" });
    await waiting;
  });
});

test("every quota of the table is tried", () => {
  expect(Object.keys(QUOTAS).toSorted()).toEqual([
    "asksPerMinute",
    "bytesReadPerMinute",
    "bytesWrittenPerMinute",
    "messagesPerMinute",
    "openPrompts",
    "requestsPerMinute",
    "sessionsPerDay",
    "sockets",
  ]);
});
