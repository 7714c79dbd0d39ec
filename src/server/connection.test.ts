import { describe, expect, test } from "vitest";
import { fakeInteraction, fakeSession } from "../../test/support/fake-core.ts";
import { listenTo, startFakeServer } from "../../test/support/fake-server.ts";
import type { Core } from "../core/index.ts";
import { type FrameChannel, LIMITS, ProtocolError } from "../protocol/index.ts";
import { Clients } from "./clients.ts";
import { openConnection } from "./connection.ts";
import { createDirectPair } from "./direct-channel.ts";
import { ids, silentLog } from "../../test/support/fake-core.ts";

/** A client of the server over a channel, as a socket's would be. */
async function connect(
  options: { core?: Partial<Core>; as?: "person" | "machine"; stuck?: boolean } = {},
) {
  const started = await startFakeServer(options.core);
  const { core, credentials, clock } = started;
  const clients = new Clients({ core, credentials, clock, log: silentLog });
  const token = started[options.as ?? "person"].token;
  const who = await credentials.authenticate(token);
  if (!who) throw new Error("not authenticated");
  const [client, far] = createDirectPair();
  const server = options.stuck ? withoutSent(far) : far;
  openConnection(
    { core, clients, clock, ids, log: silentLog, version: "9.9.9" },
    server,
    who,
    "websocket",
  );
  const connection = listenTo(client);
  return { ...started, ...connection, client, clients, who };
}

/** A channel whose frames never leave. */
function withoutSent(channel: FrameChannel): FrameChannel {
  return {
    send: () => {},
    close: (code, reason) => channel.close(code, reason),
    set onFrame(listener: (frame: string) => void) {
      channel.onFrame = listener;
    },
    set onClose(listener: (code: number, reason: string) => void) {
      channel.onClose = listener;
    },
  };
}

async function greeted(options: Parameters<typeof connect>[0] = {}, hello: object = {}) {
  const connection = await connect(options);
  connection.hello(hello);
  await connection.clock.settle();
  return connection;
}

const enabled = { interaction: { supported: true, enabled: true } };
const answer = {
  type: "tool_interaction_response",
  sessionId: "s1",
  callId: "c1",
  interactionId: "i1",
  responseId: "r1",
  action: "submit",
};

describe("the hello", () => {
  test("is answered with a welcome that repeats its ref", async () => {
    const { frames, clock } = await greeted({}, { ref: "a" });
    expect(frames).toEqual([
      {
        type: "welcome",
        ref: "a",
        protocolVersion: 1,
        connectionId: expect.any(String),
        serverVersion: "9.9.9",
        serverTime: new Date(clock.now()).toISOString(),
      },
    ]);
  });

  test("must come within ten seconds", async () => {
    const { clock, closed } = await connect();
    await clock.advance(9_999);
    expect(closed.code).toBeUndefined();
    await clock.advance(1);
    expect(closed.code).toBe(4002);
  });

  test("in time keeps the connection", async () => {
    const { clock, closed } = await greeted();
    await clock.advance(60_000);
    expect(closed.code).toBeUndefined();
  });

  test("of another protocol version closes with 4002", async () => {
    const { hello, clock, closed } = await connect();
    hello({ protocolVersion: 2 });
    await clock.settle();
    expect(closed.code).toBe(4002);
  });

  test.each([
    [LIMITS.helloBytes - 1, undefined],
    [LIMITS.helloBytes, undefined],
    [LIMITS.helloBytes + 1, 4009],
  ])("of %d bytes closes with %j", async (bytes, code) => {
    const { client, clock, closed } = await connect();
    client.send(JSON.stringify({ type: "hello", protocolVersion: 1 }).padEnd(bytes, " "));
    await clock.settle();
    expect(closed.code).toBe(code);
  });

  test("comes before any other frame, and once", async () => {
    const { send, hello, clock, frames } = await connect();
    send({ type: "ping", ref: 1 });
    hello();
    hello({ ref: 2 });
    await clock.settle();
    expect(frames).toMatchObject([
      { type: "error", code: "invalid_request", ref: 1 },
      { type: "welcome" },
      { type: "error", code: "invalid_request", ref: 2 },
    ]);
  });

  test("subscribes to what it names, and says which it could not", async () => {
    const subscriptions = [{ sessionId: "none" }, { sessionId: "s1", afterSeq: 0 }];
    const { frames } = await greeted({}, { subscriptions });
    expect(frames).toMatchObject([
      { type: "welcome" },
      { type: "error", code: "session_not_found", sessionId: "none" },
      { type: "subscribed", session: { id: "s1" }, lastSeq: 0, logId: "log1" },
    ]);
  });
});

describe("a frame", () => {
  test.each(["nonsense", "[]", "null", '"text"', '{"type":"dance"}', '{"type":"cancel"}'])(
    "that is %s is refused and the connection stays",
    async (text) => {
      const { client, send, clock, frames, closed } = await greeted();
      client.send(text);
      send({ type: "ping", ref: "still" });
      await clock.settle();
      expect(frames.slice(1)).toMatchObject([
        { type: "error", code: "invalid_request", error: expect.any(String) },
        { type: "pong", ref: "still" },
      ]);
      expect(closed.code).toBeUndefined();
    },
  );

  test.each([
    [LIMITS.messageBytes, undefined],
    [LIMITS.messageBytes + 1, 4009],
  ])("of %d bytes closes with %j", async (bytes, code) => {
    const { client, clock, closed } = await greeted();
    client.send('{"type":"ping"}'.padEnd(bytes, " "));
    await clock.settle();
    expect(closed.code).toBe(code);
  });

  test("is refused when a hundred before it are not done", async () => {
    const { send, clock, of } = await greeted(
      { core: { respond: () => new Promise(() => {}) } },
      enabled,
    );
    for (let sent = 0; sent < 101; sent++) send({ ...answer, ref: sent });
    await clock.settle();
    expect(of("interaction_result")).toMatchObject([{ ref: 100, ok: false, code: "too_many" }]);
  });
});

describe("messages and cancels", () => {
  test("are done in the order in which they came", async () => {
    let release = () => {};
    const order: string[] = [];
    const { send, clock, of } = await greeted({
      core: {
        sendMessage: async (_who, _id, { text }) => {
          if (text === "slow") await new Promise<void>((resolve) => (release = resolve));
          order.push(text);
          return { messageId: text, after: 0 };
        },
        cancel: async () => {
          order.push("cancel");
          return { stopped: true };
        },
      },
    });
    send({ type: "user_message", ref: 1, sessionId: "s1", text: "slow" });
    send({ type: "user_message", ref: 2, sessionId: "s1", text: "fast" });
    send({ type: "cancel", ref: 3, sessionId: "s1" });
    send({ type: "ping" });
    await clock.settle();
    expect([order, of("ack"), of("pong").length]).toEqual([[], [], 1]);
    release();
    await clock.settle();
    expect(order).toEqual(["slow", "fast", "cancel"]);
    expect(of("ack")).toEqual([
      { type: "ack", ref: 1, messageId: "slow" },
      { type: "ack", ref: 2, messageId: "fast" },
      { type: "ack", ref: 3, stopped: true },
    ]);
  });

  test("that arrived before the client left are still done", async () => {
    const { send, client, clock, core } = await greeted();
    send({ type: "user_message", sessionId: "s1", text: "bye" });
    client.close();
    await clock.settle();
    expect(core.calls).toEqual(["sendMessage:bye"]);
  });

  test("to a session that is not there are refused with its id and their ref", async () => {
    const { send, clock, of } = await greeted();
    send({ type: "cancel", ref: 7, sessionId: "none" });
    await clock.settle();
    expect(of("error")).toMatchObject([{ ref: 7, code: "session_not_found", sessionId: "none" }]);
  });
});

describe("answers", () => {
  test("get their result, beside what is still in work", async () => {
    const { send, clock, of, core } = await greeted(
      { core: { sendMessage: () => new Promise(() => {}) } },
      enabled,
    );
    send({ type: "user_message", sessionId: "s1", text: "held" });
    send({ ...answer, ref: "a" });
    await clock.settle();
    expect(of("interaction_result")).toMatchObject([
      { ref: "a", interactionId: "i1", responseId: "r1", ok: true },
    ]);
    expect(core.calls).toContain("respond:i1:submit");
  });

  test("that are refused carry everything the refusal says", async () => {
    const details = {
      fieldErrors: { age: "too low" },
      current: "i2",
      response: { action: "deny" },
    };
    const respond = () =>
      Promise.reject(new ProtocolError("invalid_response", "No good.", details));
    const { send, clock, of } = await greeted({ core: { respond } }, enabled);
    send(answer);
    await clock.settle();
    expect(of("interaction_result")).toEqual([
      {
        type: "interaction_result",
        interactionId: "i1",
        responseId: "r1",
        ok: false,
        code: "invalid_response",
        error: "No good.",
        ...details,
      },
    ]);
  });

  test("of a machine are refused before they are read", async () => {
    const { send, clock, of, core } = await greeted({ as: "machine" }, enabled);
    send({ ...answer, action: "nonsense" });
    await clock.settle();
    expect(of("interaction_result")).toMatchObject([
      { interactionId: "i1", ok: false, code: "person_required" },
    ]);
    expect(core.calls).toEqual([]);
  });

  test("that are misshapen are refused as answers", async () => {
    const { send, clock, of } = await greeted({}, enabled);
    send({ ...answer, action: "nonsense" });
    await clock.settle();
    expect(of("interaction_result")).toMatchObject([{ ok: false, code: "invalid_request" }]);
  });

  test("need the mode to be on, from the moment it is switched", async () => {
    const { send, clock, of } = await greeted();
    send({ ...answer, ref: 1 });
    send({ type: "set_interaction_mode", enabled: true });
    send({ ...answer, ref: 2 });
    send({ type: "set_interaction_mode", enabled: false });
    send({ ...answer, ref: 3 });
    await clock.settle();
    const results = of("interaction_result").sort((a, b) => Number(a["ref"]) - Number(b["ref"]));
    expect(results).toMatchObject([
      { ref: 1, ok: false, code: "interaction_disabled" },
      { ref: 2, ok: true },
      { ref: 3, ok: false, code: "interaction_disabled" },
    ]);
  });
});

describe("who counts as there", () => {
  test("a person whose hello says so, until they switch off or leave", async () => {
    const { core, send, client, clock } = await greeted({}, enabled);
    expect(core.presence).toMatchObject([{ supported: true, enabled: true, open: true }]);
    send({ type: "set_interaction_mode", enabled: false });
    await clock.settle();
    expect(core.presence).toMatchObject([{ supported: true, enabled: false, open: true }]);
    client.close();
    await clock.settle();
    expect(core.presence).toMatchObject([{ open: false }]);
  });

  test("nobody whose hello says nothing, and never a machine", async () => {
    expect((await greeted()).core.presence).toEqual([]);
    expect((await greeted({ as: "machine" }, enabled)).core.presence).toEqual([]);
  });
});

describe("a subscription", () => {
  test("sends what is missing and then what happens", async () => {
    const { core, send, clock, frames } = await greeted();
    core.append("one");
    core.append("two");
    send({ type: "subscribe", ref: "s", sessionId: "s1", afterSeq: 1 });
    await clock.settle();
    core.append("three");
    await clock.settle();
    expect(frames.slice(1)).toMatchObject([
      { type: "subscribed", ref: "s", lastSeq: 2, logId: "log1" },
      { type: "chat_event", sessionId: "s1", event: { seq: 2, text: "two" } },
      { type: "chat_event", sessionId: "s1", event: { seq: 3, text: "three" } },
    ]);
  });

  test("again starts from the new cursor and replaces the old one", async () => {
    const { core, send, clock, of } = await greeted({}, { subscriptions: [{ sessionId: "s1" }] });
    core.append("one");
    await clock.settle();
    send({ type: "subscribe", sessionId: "s1", afterSeq: 0 });
    await clock.settle();
    core.append("two");
    await clock.settle();
    expect(of("chat_event").map(({ event }) => (event as { seq: number }).seq)).toEqual([1, 1, 2]);
    expect(core.openSubscriptions()).toBe(1);
  });

  test("ahead of the log gets resync, and one that was there goes on", async () => {
    const { core, send, clock, of } = await greeted({}, { subscriptions: [{ sessionId: "s1" }] });
    send({ type: "subscribe", sessionId: "s1", afterSeq: 99 });
    await clock.settle();
    expect(of("error")).toMatchObject([{ code: "resync", sessionId: "s1" }]);
    core.append("one");
    await clock.settle();
    expect(of("chat_event")).toHaveLength(1);
  });

  test("ends when the client says so, or leaves", async () => {
    const { core, send, client, clock } = await greeted(
      {},
      { subscriptions: [{ sessionId: "s1" }] },
    );
    send({ type: "unsubscribe", sessionId: "s1" });
    await clock.settle();
    expect(core.openSubscriptions()).toBe(0);
    send({ type: "subscribe", sessionId: "s1", tail: 5 });
    await clock.settle();
    expect(core.openSubscriptions()).toBe(1);
    client.close();
    await clock.settle();
    expect([core.openSubscriptions(), core.watchers.size]).toEqual([0, 0]);
  });

  test("to a client that does not read is paced while it replays, and closed when live piles up", async () => {
    const { core, hello, clock, closed } = await connect({ stuck: true });
    const text = "x".repeat(64 * 1024);
    for (let count = 0; count < 40; count++) core.append(text);
    hello({ subscriptions: [{ sessionId: "s1" }] });
    await clock.settle();
    expect([core.openSubscriptions(), closed.code]).toEqual([0, undefined]);
    for (const watcher of core.watchers) {
      for (let count = 0; count < 20; count++) {
        watcher.sessionUpdated?.({ ...fakeSession("s1"), title: text });
      }
    }
    await clock.settle();
    expect([core.watchers.size, closed.code]).toEqual([0, 4008]);
  });
});

describe("the inbox", () => {
  test("is a page of the list, then changes, also those that came while it was read", async () => {
    const { core, send, clock, frames } = await greeted();
    for (let count = 0; count < LIMITS.listPageMax + 1; count++) {
      core.prompts.push(fakeInteraction(`i${count}`));
    }
    const listed = core.interactions.bind(core);
    core.interactions = async (who, query) => {
      for (const watcher of core.watchers)
        watcher.interactionUpdated?.(fakeInteraction("meanwhile"));
      return listed(who, query);
    };
    send({ type: "subscribe", inbox: true, ref: "in" });
    await clock.settle();
    for (const watcher of core.watchers) watcher.interactionUpdated?.(fakeInteraction("later"));
    await clock.settle();
    const [, inbox, ...updates] = frames;
    expect(inbox).toMatchObject({ type: "inbox", ref: "in", next: String(LIMITS.listPageMax) });
    expect(inbox?.["interactions"]).toHaveLength(LIMITS.listPageMax);
    expect(updates.map((frame) => (frame["interaction"] as { id: string }).id)).toEqual([
      "meanwhile",
      "later",
    ]);
  });

  test("says nothing before it is asked for, nor after it is left", async () => {
    const { core, send, clock, of } = await greeted();
    const change = () => {
      for (const watcher of core.watchers) watcher.interactionUpdated?.(fakeInteraction("i1"));
    };
    change();
    send({ type: "subscribe", inbox: true });
    await clock.settle();
    send({ type: "unsubscribe", inbox: true });
    await clock.settle();
    change();
    await clock.settle();
    expect(of("interaction_updated")).toEqual([]);
  });
});

describe("sessions", () => {
  test("that change or go are told to all who may read them", async () => {
    const { core, clock, frames } = await greeted({}, { subscriptions: [{ sessionId: "s1" }] });
    for (const watcher of core.watchers) watcher.sessionUpdated?.(fakeSession("s1"));
    for (const watcher of core.watchers) watcher.sessionDeleted?.("s1");
    await clock.settle();
    expect(frames.slice(-2)).toMatchObject([
      { type: "session_updated", session: { id: "s1" } },
      { type: "session_deleted", sessionId: "s1" },
    ]);
    expect(core.openSubscriptions()).toBe(0);
  });
});

describe("a credential that ends", () => {
  test("closes its connections with 4001 within half a second, and nobody else's", async () => {
    const { credentials, clock, closed, who, clients } = await greeted();
    const other = await credentials.createToken({ holder: { principalId: "owner" } });
    const ended: string[] = [];
    clients.add({ tokenId: other.id, end: (why) => ended.push(why) });
    await clock.advance(5_000);
    expect(closed.code).toBeUndefined();
    await credentials.revokeToken(who.tokenId);
    await clock.advance(500);
    expect([closed.code, ended, clients.size]).toEqual([4001, [], 1]);
  });

  test("a server that stops closes with 1001", async () => {
    const { clients, clock, closed } = await greeted();
    clients.closeAll();
    await clock.settle();
    expect(closed.code).toBe(1001);
  });
});

describe("a connection in process", () => {
  test("speaks the same frames, and its person is there", async () => {
    const { server, person, core, clock } = await startFakeServer();
    const { hello, send, of } = listenTo(server.connect(person.token));
    hello();
    send(answer);
    await clock.settle();
    expect([of("welcome").length, of("interaction_result")[0]?.["ok"]]).toEqual([1, true]);
    expect(core.presence).toMatchObject([{ enabled: true }]);
  });

  test("whose token cannot be looked up is not told that the token is bad", async () => {
    const { server, store, person, clock } = await startFakeServer();
    await store.close();
    const { closed } = listenTo(server.connect(person.token));
    await clock.settle();
    expect(closed.code).toBe(1001);
  });

  test("with a bad token is closed with 4001", async () => {
    const { server, clock } = await startFakeServer();
    const { hello, closed, frames } = listenTo(server.connect("nobody"));
    hello();
    await clock.settle();
    expect([closed.code, frames]).toEqual([4001, []]);
  });
});
