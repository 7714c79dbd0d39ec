import { expect, test, vi } from "vitest";
import type { ChatEvent } from "../../protocol/index.ts";
import { StoreUnavailable, type Who } from "../ports.ts";
import { createFakeClock } from "../../testing/fake-clock.ts";
import { Hub, type HubPorts } from "./hub.ts";
import { ReadingTurns } from "./reading-turns.ts";

const OWNER: Who = {
  principalId: "owner",
  kind: "person",
  name: "Owner",
  tokenId: "t",
  sessionId: null,
};
const event = (seq: number) => ({ seq, type: "text", sessionId: "s", payload: {} }) as ChatEvent;

const summary = {
  id: "s",
  logId: "l",
  lastSeq: 1,
  deletedAt: null,
  ownerId: "owner",
  settings: { permissionMode: "default" },
  cwd: null,
  host: null,
  createdAt: 0,
  updatedAt: 0,
};

test("an event that is stored while a new reader looks for just that one is not missed", async () => {
  const stored = [event(1)];
  /** Looks that have been taken and whose answers are on their way. */
  const looks: (() => void)[] = [];
  const store = {
    summary: () => Promise.resolve(summary),
    eventTexts({ after }: { after: number }) {
      const found = stored
        .filter(({ seq }) => seq > after)
        .map((event) => ({ seq: event.seq, json: JSON.stringify(event), bytes: 0 }));
      return new Promise((resolve) => looks.push(() => resolve(found)));
    },
  };
  const reading = new ReadingTurns(createFakeClock());
  const hub = new Hub({ store, reading, log: { error() {}, warn() {} } } as unknown as HubPorts);
  const sent: (number | undefined)[] = [];
  const sink = { send: ({ seq }: { seq?: number }) => sent.push(seq), drained: async () => {} };
  await hub.subscribe(OWNER, { sessionId: "s" }, sink, () => {});
  looks.shift()?.();
  await expect.poll(() => looks.length).toBe(1);
  // The look for the second event has been taken and found nothing; now it is stored and told of.
  stored.push(event(2));
  hub.hear({ type: "events", sessionId: "s", lastSeq: 2, events: [event(2)] });
  looks.shift()?.();
  await expect.poll(() => looks.length).toBe(1);
  looks.shift()?.();
  await expect.poll(() => sent).toEqual([1, 2]);
});

test("events that were stored before a new reader could hear of them are all read", async () => {
  const stored = [1, 2, 3, 4].map(event);
  const store = {
    summary: async () => summary,
    eventTexts: async ({ after, limit }: { after: number; limit: number }) =>
      stored
        .filter(({ seq }) => seq > after)
        .slice(0, limit)
        .map((one) => ({ seq: one.seq, json: JSON.stringify(one), bytes: 0 })),
  };
  const reading = new ReadingTurns(createFakeClock());
  const hub = new Hub({ store, reading, log: { error() {}, warn() {} } } as unknown as HubPorts);
  const sent: (number | undefined)[] = [];
  const sink = { send: ({ seq }: { seq?: number }) => sent.push(seq), drained: async () => {} };
  await hub.subscribe(OWNER, { sessionId: "s" }, sink, () => {});
  await expect.poll(() => sent).toEqual([1, 2, 3, 4]);
});

test("a client that is still read for when the store closes at the end is no warning", async () => {
  const warned: unknown[] = [];
  const clock = createFakeClock();
  const store = {
    summary: () => Promise.resolve(summary),
    eventTexts: () => Promise.reject(new StoreUnavailable("The store is closed.")),
  };
  let isStopping = false;
  const log = { error() {}, warn: (_details: unknown, words: string) => warned.push(words) };
  const reading = new ReadingTurns(clock);
  const env = { store, reading, log, clock, isStopping: () => isStopping };
  const hub = new Hub(env as unknown as HubPorts);
  const sink = { send() {}, drained: async () => {} };
  await hub.subscribe(OWNER, { sessionId: "s" }, sink, () => {});
  await expect.poll(() => warned).toHaveLength(1);
  isStopping = true;
  const looks = vi.spyOn(store, "eventTexts");
  await hub.subscribe(OWNER, { sessionId: "s" }, sink, () => {});
  await expect.poll(() => looks.mock.settledResults).toHaveLength(1);
  await clock.turn();
  expect(warned).toHaveLength(1);
});
