import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { type Beckon, createBeckon, defineTool } from "../../src/beckon.ts";
import type { CorePorts } from "../../src/core/index.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import { createStepCounter, type Steps } from "./count-steps.ts";

/**
 * How many steps an ask takes at most, from a message to the demo agent to the end of its turn, on a
 * server with one client where nothing else happens. These are the counts that were measured last.
 * When the engine needs fewer steps, lower the counts here; never raise one.
 *
 * Neither runs in a scope: Node would follow it through everything that the server awaits.
 *
 * The aim: 35 statements, 12 reads, 4 commits, 2 syncs (3 with an approval) and 14 frames.
 *
 * `BECKON_STEPS=1 npx vitest run test/budget` prints each SQL text with how often it ran.
 */
const MOST: Record<"question" | "approval", Steps> = {
  question: { statements: 18, reads: 2, commits: 4, syncs: 2, frames: 14 },
  approval: { statements: 26, reads: 4, commits: 5, syncs: 3, frames: 14 },
};

/** Before anything is counted: what is needed once is there, and every text is compiled. */
const WARM_UP = 3;
const COUNTED = 10;
/** Longer than the server gathers what it tells. */
const GATHERED_MS = 1_000;

const guarded = defineTool({
  name: "guarded",
  description: "Does nothing, once somebody has approved of it",
  version: "1",
  durable: "replay",
  approval: {},
  parameters: { type: "object" },
  handler: () => ({ ok: true }),
});

interface Frame {
  type: string;
  session?: { id: string; status: string; lastSeq: number };
  event?: { seq?: number; type: string; payload: Record<string, unknown> };
}

const clock = createFakeClock();
const counter = createStepCounter();
let dataDir: string;
let beckon: Beckon;
let url: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "beckon-steps-"));
  const unstable_ports = (ports: CorePorts) => ({
    ...counter.withCommits(ports),
    scope: { ...ports.scope, run: () => expect.unreachable("an ask ran in a scope") },
  });
  beckon = await createBeckon({ dataDir, clock, tools: [guarded], unstable_ports });
  ({ url } = await beckon.listen({ host: "127.0.0.1", port: 0 }));
});

afterAll(async () => {
  await beckon.close();
  counter.stop();
  await rm(dataDir, { recursive: true });
});

test("a question is asked and answered in so many steps", async () => {
  const steps = await countAsks('/call ask_user {"question":"Which colour?"}', {
    action: "submit",
    input: { answer: "blue" },
  });
  expectAtMost(steps, MOST.question);
});

test("a call is approved and done in so many steps", async () => {
  const steps = await countAsks("/call guarded {}", { action: "approve", approvalScope: "once" });
  expectAtMost(steps, MOST.approval);
});

/**
 * The least of some asks, each of which has everything to itself: on a busy machine the log is now and
 * then read in two portions where one would do.
 */
async function countAsks(text: string, answer: Record<string, unknown>): Promise<Steps> {
  const asker = await openAsker(text, answer);
  const counted: Steps[] = [];
  for (let round = -WARM_UP; round < COUNTED; round++) {
    counter.reset();
    await asker.ask();
    if (round >= 0) counted.push({ ...counter.steps });
  }
  asker.socket.close();
  if (process.env["BECKON_STEPS"]) {
    for (const [sql, count] of counter.texts()) console.info(String(count).padStart(4), sql);
    console.info(counted);
  }
  const leastOf = (name: keyof Steps) => Math.min(...counted.map((steps) => steps[name]));
  const names = ["statements", "reads", "commits", "syncs", "frames"] as const;
  return Object.fromEntries(names.map((name) => [name, leastOf(name)])) as unknown as Steps;
}

async function openAsker(text: string, answer: Record<string, unknown>) {
  const headers = { authorization: `Bearer ${beckon.ownerToken}` };
  const made = await fetch(`${url}/api/sessions`, { method: "POST", headers });
  const { id: sessionId } = (await made.json()) as { id: string };
  const socket = new WebSocket(`${url.replace("http", "ws")}/ws`, { headers });
  await once(socket, "open");
  const frames: Frame[] = [];
  let heard = () => {};
  socket.on("message", (data: Buffer) => {
    counter.steps.frames++;
    frames.push(JSON.parse(data.toString()) as Frame);
    heard();
  });
  const send = (frame: Record<string, unknown>) => socket.send(JSON.stringify(frame));
  /** The first frame of which this holds, among those of the ask that is going on. */
  const frame = async (isIt: (one: Frame) => boolean): Promise<Frame> => {
    for (;;) {
      const found = frames.find(isIt);
      if (found) return found;
      await new Promise<void>((resolve) => (heard = resolve));
    }
  };
  const event = async (type: string) => (await frame((one) => one.event?.type === type)).event;
  send({
    type: "hello",
    protocolVersion: 1,
    client: { id: "counted" },
    interaction: { supported: true, enabled: true },
    subscriptions: [{ sessionId, afterSeq: 0 }],
  });
  await frame(({ type }) => type === "subscribed");
  return {
    socket,
    async ask() {
      frames.length = 0;
      send({ type: "user_message", sessionId, text });
      const request = await event("interaction_request");
      send({
        type: "tool_interaction_response",
        sessionId,
        callId: request?.payload["toolCallId"],
        interactionId: request?.payload["interactionId"],
        responseId: `answer-${request?.seq}`,
        ...answer,
      });
      const end = await event("turn_end");
      await clock.advance(GATHERED_MS);
      await frame(({ session }) => session?.status === "idle" && session.lastSeq === end?.seq);
      await quiet();
    },
  };
}

/** When nothing more happens by itself. */
async function quiet(): Promise<void> {
  for (let before = ""; before !== JSON.stringify(counter.steps);) {
    before = JSON.stringify(counter.steps);
    await clock.settle();
  }
}

function expectAtMost(steps: Steps, most: Steps): void {
  for (const [name, count] of Object.entries(steps)) {
    const counted = `${name}, in ${JSON.stringify(steps)}`;
    expect(count, counted).toBeLessThanOrEqual(most[name as keyof Steps]);
  }
}
