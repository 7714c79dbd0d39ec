import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { InteractionRecord } from "../../src/protocol/index.ts";
import { setPreferences } from "../preferences.ts";
import { Calls } from "./calls.ts";

interface Shown {
  title: string;
  body: string;
}

/** What stands on the screen, by tag, as a browser replaces one by another of the same tag. */
let standing: Map<string, Shown & { close(): void }>;
/** How often something new came up, or came up again. */
let alerts: number;
let rings: number;
let open: InteractionRecord[];
let asked: number;
let calls: Calls;

class ScreenNotification extends EventTarget {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  constructor(title: string, options: { body: string; tag: string; renotify?: boolean }) {
    super();
    this.title = title;
    this.body = options.body;
    this.tag = options.tag;
    const before = standing.get(this.tag);
    if (!before || options.renotify) alerts++;
    standing.set(this.tag, this);
    before?.close();
  }
  close() {
    if (standing.get(this.tag) === this) standing.delete(this.tag);
    this.dispatchEvent(new Event("close"));
  }
}

class CountingAudio {
  currentTime = 0;
  destination = {};
  constructor() {
    rings++;
  }
  createOscillator() {
    const tone = {
      frequency: {},
      connect: (to: object) => to,
      start() {},
      stop() {},
      addEventListener() {},
    };
    return tone;
  }
  createGain() {
    const gain = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
    return { gain, connect() {} };
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("Notification", ScreenNotification);
  vi.stubGlobal("AudioContext", CountingAudio);
  vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  setPreferences({ notify: true, sound: true, interactive: true });
  standing = new Map();
  alerts = rings = 0;
  open = [];
  asked = 0;
  calls = new Calls();
  calls.takeTurn();
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

async function come(count = 1): Promise<void> {
  const fresh = Array.from({ length: count }, (_, index) => {
    const id = String(asked + index + 1);
    const request = {
      toolName: "bash",
      interactionType: "approval",
      toolInput: { command: `npm test ${id}` },
    };
    return { id, sessionId: "session-1", request } as unknown as InteractionRecord;
  });
  asked += count;
  open.push(...fresh);
  await tellOfOpen(fresh);
}

async function end(count: number): Promise<void> {
  open.splice(0, count);
  await tellOfOpen([]);
}

async function tellOfOpen(fresh: InteractionRecord[]): Promise<void> {
  calls.withdrawAllBut(new Set(open.map(({ id }) => id)));
  await calls.add(fresh, () => "Tests");
}

const titles = () => [...standing.values()].map(({ title }) => title);
const bodies = () => [...standing.values()].map(({ body }) => body);

/** One prompt after the other, every so many milliseconds. */
async function drip(count: number, every: number): Promise<void> {
  for (let left = count; left > 0; left--) {
    await come();
    await vi.advanceTimersByTimeAsync(every);
  }
}

const TITLE = "Run this command?";

test("a few prompts have a notification each, with what would run", async () => {
  await drip(3, 1000);
  expect(titles()).toEqual([TITLE, TITLE, TITLE]);
  expect(bodies()[0]).toBe("npm test 1\nTests");
});

test("a steady drip is a few notifications and one for all that wait", async () => {
  await drip(40, 1000);
  await vi.advanceTimersByTimeAsync(2000);
  expect(titles()).toEqual([TITLE, TITLE, TITLE, "40 prompts wait for you"]);
  expect(bodies().at(-1)).toBe("The latest: npm test 40\nOpen the inbox to answer them.");
  expect(alerts).toBe(4);
});

test("a slow drip that nobody answers does not fill the screen either", async () => {
  await drip(100, 20_000);
  expect(standing.size).toBe(4);
  expect(titles().at(-1)).toBe("100 prompts wait for you");
  // Of what comes while all that stands, a person is told anew once a minute.
  expect(alerts).toBeLessThan(4 + 100 / 3);
  expect(rings).toBeLessThan(4 + 100 / 3);
});

test("prompts that come and end at once do not come up without end", async () => {
  for (let left = 100; left > 0; left--) {
    await come();
    await vi.advanceTimersByTimeAsync(500);
    await end(1);
  }
  expect(alerts).toBeGreaterThan(3);
  expect(alerts).toBeLessThanOrEqual(4 * 6);
  expect(standing.size).toBe(0);
});

test("it rings at most once in ten seconds", async () => {
  await drip(3, 3000);
  expect(rings).toBe(1);
  await vi.advanceTimersByTimeAsync(10_000);
  await end(3);
  await drip(1, 1000);
  expect(rings).toBe(2);
});

test("what could not be shown at once is shown as soon as it may be, unless it has ended", async () => {
  for (let left = 4; left > 0; left--) {
    await drip(1, 500);
    await end(1);
  }
  await drip(2, 500);
  expect(titles()).toEqual([]);
  await end(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(bodies()).toEqual(["npm test 6"]);
});

test("the count stays true when prompts end, and the notification goes with the last", async () => {
  await come(12);
  await vi.advanceTimersByTimeAsync(1000);
  expect(titles()).toEqual(["12 prompts wait for you"]);
  await end(4);
  await vi.advanceTimersByTimeAsync(1000);
  expect(titles()).toEqual(["8 prompts wait for you"]);
  await end(7);
  await vi.advanceTimersByTimeAsync(1000);
  expect([titles(), bodies()]).toEqual([[TITLE], ["npm test 12"]]);
  expect([alerts, rings]).toEqual([1, 1]);
  await end(1);
  expect(titles()).toEqual([]);
});

test("a notification that was put away is not put back before something new comes", async () => {
  await come(12);
  await vi.advanceTimersByTimeAsync(1000);
  standing.get("beckon:many")!.close();
  await end(1);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(titles()).toEqual([]);
  await come(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(titles()).toEqual([TITLE]);
});

test("sound alone is as sparing", async () => {
  setPreferences({ notify: false });
  await drip(40, 1000);
  expect(standing.size).toBe(0);
  expect(rings).toBe(1);
});
