import { describe, expect, test, vi } from "vitest";
import { startScripted } from "../../test/support/scripted-server.ts";

const unauthorized = async () =>
  Response.json({ code: "unauthorized", error: "Sign in first." }, { status: 401 });

test("the first frame is a hello with the client, its mode and the version", () => {
  const { client, line } = startScripted();
  expect(line().sent[0]).toEqual({
    type: "hello",
    protocolVersion: 1,
    client: { id: "phone" },
    interaction: { supported: true, enabled: true },
  });
  expect(client.connection()).toEqual({ state: "connecting" });
  line().welcome();
  expect(client.connection()).toEqual({ state: "online" });
  client.setInteractive(false);
  expect(line().last("set_interaction_mode")).toMatchObject({ enabled: false });
});

test("the server's time is what its last welcome says, however wrong the clock here is", async () => {
  const { client, clock, line } = startScripted();
  const now = clock.now();
  expect(client.serverNow?.()).toBe(now);
  line().welcome(new Date(now + 3_600_000).toISOString());
  expect(client.serverNow?.()).toBe(now + 3_600_000);
  line().end();
  await clock.advance(250);
  line().welcome("nonsense");
  expect(client.serverNow?.()).toBe(now + 3_600_250);
  line().end();
  await clock.advance(500);
  line().welcome(new Date(now - 60_000).toISOString());
  expect(client.serverNow?.()).toBe(now - 60_000);
});

test("the mode that was set last is in the next hello", async () => {
  const { client, clock, line } = startScripted();
  line().welcome();
  client.setInteractive(false);
  line().end();
  await clock.advance(250);
  expect(line().sent[0]).toMatchObject({ interaction: { supported: true, enabled: false } });
});

describe("a line that is lost", () => {
  test.each([
    ["no chance", 0, [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]],
    ["half of it", 0.5, [375, 750, 1_500, 3_000, 6_000, 12_000, 22_500, 22_500]],
    ["all of it", 1, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]],
  ])("is tried again after longer and longer waits: %s", async (_what, random, waits) => {
    const { client, clock, lines, line, wait } = startScripted({ random });
    for (const [index, expected] of waits.entries()) {
      line().end();
      expect(client.connection().state).toBe("offline");
      expect(wait()).toBe(expected);
      await clock.advance(expected - 1);
      expect(lines).toHaveLength(index + 1);
      await clock.advance(1);
      expect(lines).toHaveLength(index + 2);
      expect(client.connection()).toEqual({ state: "connecting" });
    }
  });

  test("begins the waits anew only if it had held for a while", async () => {
    const { clock, line, wait } = startScripted();
    for (const expected of [250, 500, 1_000]) {
      line().welcome();
      line().end(4008);
      expect(wait()).toBe(expected);
      await clock.advance(expected);
    }
    line().welcome();
    await clock.advance(5_000);
    line().end();
    expect(wait()).toBe(250);
  });

  test("is tried at once when somebody asks for it, or the network is back", async () => {
    let back = () => {};
    const stop = vi.fn<() => void>();
    const whenBack = (reconnect: () => void) => ((back = reconnect), stop);
    const { client, clock, lines, line } = startScripted({ whenBack });
    line().end();
    client.reconnect();
    expect(lines).toHaveLength(2);
    line().end();
    back();
    expect(lines).toHaveLength(3);
    await clock.advance(10_000);
    expect(lines).toHaveLength(3);
    client.close();
    expect(stop).toHaveBeenCalledOnce();
    back();
    expect(lines).toHaveLength(3);
  });

  test.each([4002, 4009])("with %i is not tried again soon", (code) => {
    const { line, wait } = startScripted();
    line().welcome();
    line().end(code);
    expect(wait()).toBe(30_000);
  });

  test("with 4001 is not tried again until somebody asks for it", async () => {
    const { client, clock, lines, line } = startScripted();
    line().welcome();
    line().end(4001);
    expect(client.connection()).toEqual({ state: "signed_out" });
    await clock.advance(600_000);
    expect(lines).toHaveLength(1);
    client.reconnect();
    line().welcome();
    expect(client.connection()).toEqual({ state: "online" });
  });

  test("before it was welcome may have wanted a credential: a plain request finds out", async () => {
    const { client, clock, lines, line } = startScripted({ fetch: unauthorized });
    line().end();
    await clock.settle();
    expect(client.connection()).toEqual({ state: "signed_out" });
    await clock.advance(600_000);
    expect(lines).toHaveLength(1);
  });

  test("after it was welcome asks nobody why", async () => {
    const fetch = vi.fn<typeof unauthorized>(unauthorized);
    const { client, clock, line } = startScripted({ fetch });
    line().welcome();
    line().end();
    await clock.settle();
    expect(fetch).not.toHaveBeenCalled();
    expect(client.connection().state).toBe("offline");
  });
});

describe("a silent line", () => {
  test("that says no welcome is given up", async () => {
    const { client, clock, line } = startScripted();
    const first = line();
    await clock.advance(14_999);
    expect(first.isClosed).toBe(false);
    await clock.advance(1);
    expect(first.isClosed).toBe(true);
    expect(client.connection().state).toBe("offline");
  });

  test("is pinged, and kept if it answers", async () => {
    const { clock, lines, line } = startScripted();
    line().welcome();
    for (const count of [1, 2, 3]) {
      await clock.advance(25_000);
      expect(line().of("ping")).toHaveLength(count);
      await clock.advance(9_999);
      line().say({ type: "pong" });
    }
    expect(lines).toHaveLength(1);
  });

  test("that does not answer a ping is dead, whatever it says later", async () => {
    const { client, clock, lines, line } = startScripted();
    const first = line();
    first.welcome();
    await clock.advance(34_999);
    expect(client.connection().state).toBe("online");
    await clock.advance(1);
    expect(client.connection().state).toBe("offline");
    expect(first.isClosed).toBe(true);
    first.say({ type: "pong" });
    first.end();
    await clock.advance(250);
    expect(lines).toHaveLength(2);
    expect(client.connection().state).toBe("connecting");
  });

  test("is pinged at once when somebody asks whether it is still there", async () => {
    const { client, clock, lines, line } = startScripted();
    line().welcome();
    client.reconnect();
    expect(line().of("ping")).toHaveLength(1);
    await clock.advance(10_250);
    expect(lines).toHaveLength(2);
  });
});

test("a line that says what is no frame is left", () => {
  const { client, line } = startScripted();
  line().welcome();
  line().channel.onFrame?.("<html>");
  expect(line().isClosed).toBe(true);
  expect(client.connection().state).toBe("offline");
});
