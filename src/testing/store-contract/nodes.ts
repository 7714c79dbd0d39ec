import { expect, test } from "vitest";
import { type Ability, PRESENT } from "../../core/ports.ts";
import { call, run } from "./rows.ts";
import { addSession, type Subject } from "./subject.ts";
import { insert, update, write } from "./writes.ts";

const facts = (id: string) => ({
  id,
  name: `name of ${id}`,
  host: "here",
  version: "1.0",
  publicKey: `key of ${id}`,
});
const ABILITY: Ability = {
  host: "here",
  agents: ["demo"],
  tools: [
    ["deploy", null],
    ["build", "2"],
  ],
  patienceMs: 1_000,
};

export function nodeTests(subject: Subject): void {
  test("the store tells the time that it decides by", async () => {
    const { store, clock } = subject();
    expect(store.clock.now()).toBe(clock.now());
  });

  test("a node that joins is listed, and a renewal keeps it alive", async () => {
    const { store, clock } = subject();
    await store.join(facts("n1"), 1_000);
    const joined = { ...facts("n1"), startedAt: clock.now(), seenAt: clock.now() };
    expect(await store.nodes()).toEqual([joined]);
    clock.jump(50);
    await store.renew("n1", 10);
    await store.renew("somebody else", 10);
    const seen = { ...joined, seenAt: clock.now() };
    expect(await store.nodes()).toEqual([seen]);
    expect(await store.node("n1")).toEqual(seen);
    expect(await store.node("n2")).toBeNull();
  });

  test("who joins makes forgotten the nodes that have not been seen for long", async () => {
    const { store, clock } = subject();
    await store.join(facts("n1"), 1_000);
    clock.jump(600);
    await store.join(facts("n2"), 1_000);
    clock.jump(600);
    await store.join(facts("n3"), 1_000);
    expect((await store.nodes()).map((node) => node.id)).toEqual(["n2", "n3"]);
  });

  test("who leaves is listed no more, and its runs can be claimed at once", async () => {
    const { store, clock } = subject();
    await store.join(facts("n1"), 1_000);
    await addSession(store, "s1");
    const lease = { leaseUntil: clock.now() + 5_000 };
    await write(
      store,
      insert("runs", run("mine", { owner: "n1", ...lease })),
      insert("runs", run("at work", { owner: "n1", status: "suspended", ...lease })),
      insert("runs", run("asleep", { owner: null, status: "suspended" })),
      insert("runs", run("theirs", { owner: "n2", ...lease })),
    );
    await store.leave("n1");
    expect(await store.nodes()).toEqual([]);
    const claimed = await store.claim({ owner: "n2", leaseMs: 5, limit: 9 });
    expect(claimed.map((row) => row.id).sort()).toEqual(["at work", "mine"]);
  });

  test("who is there is known by node, and outlasts a node that leaves", async () => {
    const { store, clock } = subject();
    await store.join(facts("n1"), 1_000);
    const row = (nodeId: string, principalId: string, until: number) => ({
      nodeId,
      principalId,
      until,
      version: 1,
    });
    await write(
      store,
      insert("presence", row("n1", "p1", PRESENT)),
      insert("presence", row("n2", "p1", clock.now() + 5)),
    );
    await write(store, update("presence", ["n1", "p1"], 1, { until: clock.now() + 9 }));
    expect(await store.presence()).toEqual([
      { ...row("n1", "p1", clock.now() + 9), version: 2, nodeSeenAt: clock.now() },
      { ...row("n2", "p1", clock.now() + 5), nodeSeenAt: null },
    ]);
    await store.leave("n1");
    expect((await store.presence()).map((one) => one.nodeSeenAt)).toEqual([null, null]);
  });

  test("who joins makes forgotten who was there long ago, or for as long as a node that is gone", async () => {
    const { store, clock } = subject();
    await store.join(facts("n1"), 1_000);
    const until = { past: clock.now(), future: clock.now() + 9 };
    await write(
      store,
      insert("presence", { nodeId: "n0", principalId: "p1", until: PRESENT, version: 1 }),
      insert("presence", { nodeId: "n0", principalId: "p2", until: until.future, version: 1 }),
      insert("presence", { nodeId: "n1", principalId: "p1", until: PRESENT, version: 1 }),
      insert("presence", { nodeId: "n1", principalId: "p2", until: until.past, version: 1 }),
    );
    await store.join(facts("n2"), 1_000);
    expect((await store.presence()).map((one) => [one.nodeId, one.principalId])).toEqual([
      ["n0", "p2"],
      ["n1", "p1"],
    ]);
  });

  test("a claim leaves to others what it cannot run, until nobody has wanted it for a while", async () => {
    const { store, clock } = subject();
    await addSession(store, "s1");
    await addSession(store, "here", { host: "here" });
    await addSession(store, "there", { host: "there" });
    await addSession(store, "other agent", { agent: "other" });
    const lapsed = (id: string, set: Parameters<typeof run>[1] = {}) =>
      insert("runs", run(id, { leaseUntil: clock.now(), ...set }));
    const ask = { v: 1, ask: { type: "approval" }, askedBy: "p1" } as const;
    await write(
      store,
      lapsed("plain"),
      lapsed("of a folder here", { sessionId: "here" }),
      lapsed("of a folder there", { sessionId: "there" }),
      lapsed("turn of another agent", { sessionId: "other agent" }),
      lapsed("call of another agent", { sessionId: "other agent", kind: "call" }),
      lapsed("known tools"),
      insert("tool_calls", call("c1", { runId: "known tools", tool: "build", toolVersion: "2" })),
      insert("tool_calls", call("c2", { runId: "known tools", tool: "gone", status: "ended" })),
      insert("tool_calls", call("c3", { runId: "known tools", tool: "gone", durable: "orphan" })),
      lapsed("another version"),
      insert(
        "tool_calls",
        call("c4", { runId: "another version", tool: "build", toolVersion: "1" }),
      ),
      lapsed("no version"),
      insert("tool_calls", call("c5", { runId: "no version", tool: "build" })),
      lapsed("an ask", { kind: "call", state: ask }),
      insert("tool_calls", call("c6", { runId: "an ask", tool: "whatever" })),
      lapsed("at work", { status: "suspended", sessionId: "there" }),
    );
    const claim = async () =>
      (await store.claim({ owner: "n", leaseMs: 9_000, limit: 99, ability: ABILITY }))
        .map((row) => row.id)
        .sort();
    expect(await claim()).toEqual([
      "an ask",
      "call of another agent",
      "known tools",
      "of a folder here",
      "plain",
    ]);
    clock.jump(999);
    expect(await claim()).toEqual([]);
    clock.jump(1);
    expect(await claim()).toEqual([
      "another version",
      "at work",
      "no version",
      "of a folder there",
      "turn of another agent",
    ]);
  });

  test("sessions that need another agent or host are left to others for a while", async () => {
    const { store, clock } = subject();
    const updatedAt = clock.now();
    await addSession(store, "plain", { updatedAt });
    await addSession(store, "here", { updatedAt, host: "here" });
    await addSession(store, "there", { updatedAt, host: "there" });
    await addSession(store, "other agent", { updatedAt, agent: "other" });
    for (const sessionId of ["plain", "here", "there", "other agent"]) {
      await write(store, insert("runs", run(`of ${sessionId}`, { sessionId, status: "queued" })));
    }
    const startable = async () => (await store.startable(9, ABILITY)).sort();
    expect(await startable()).toEqual(["here", "plain"]);
    clock.jump(1_000);
    expect(await startable()).toEqual(["here", "other agent", "plain", "there"]);
  });
}
