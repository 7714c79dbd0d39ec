import type { ToolContext } from "../../src/core/index.ts";
import { grant } from "../../src/testing/store-contract/interaction-rows.ts";
import { askingTool } from "../scenarios/tools.ts";
import { operate } from "../scenarios/turns.ts";
import type { World } from "../scenarios/world.ts";
import type { Edge } from "./edge.ts";
import { heardBy, replyOf, SILENT_LINES, withLine } from "./entrances.ts";
import { listOf, sizedJson } from "./values.ts";

let speaking: ToolContext;

/** `t_speak`: lets the test speak for it while it waits. */
export const speakTool = askingTool("t_speak", (_args, ctx) => {
  speaking = ctx;
  return { type: "approval", onResponse: () => ({ complete: "done" }) };
});

async function waitingCall(world: World): Promise<{ sessionId: string; interactionId: string }> {
  const { id: sessionId } = await world.session();
  return withLine(world.direct({}), async (client) => {
    await client.subscribe(sessionId);
    void operate(world, sessionId, "t_speak").catch(() => {});
    const { payload } = await client.event("interaction_request");
    await world.clock.settle();
    return { sessionId, interactionId: payload.interactionId };
  });
}

/** Exactly so many bytes of replies wait for a client in process that does not listen. */
async function queueFrames(world: World, bytes: number): Promise<string> {
  await world.clock.settle();
  const channel = world.node.connect(world.owner);
  const welcome = new Promise((resolve) => (channel.onFrame = resolve));
  channel.send(JSON.stringify({ type: "hello", protocolVersion: 1 }));
  await welcome;
  const ends: number[] = [];
  channel.onFrame = undefined;
  channel.onClose = (code) => ends.push(code);
  const bare = JSON.stringify({ type: "pong", ref: "" }).length;
  const whole = Math.floor(bytes / (bare + 200)) - 1;
  const rest = bytes - whole * (bare + 200) - 2 * bare;
  const refs = [...listOf(whole, () => 200), Math.floor(rest / 2), rest - Math.floor(rest / 2)];
  for (const length of refs)
    channel.send(JSON.stringify({ type: "ping", ref: "x".repeat(length) }));
  for (let turns = 0; ends.length === 0 && turns < refs.length; turns += 200) {
    await world.clock.settle();
  }
  if (ends.length > 0) return `closed ${ends[0]}`;
  let heard = 0;
  await new Promise<void>((resolve) => {
    channel.onFrame = (frame) => {
      heard += frame.length;
      if (heard >= bytes) resolve();
    };
  });
  channel.close();
  return heard === bytes ? "accepted" : `heard ${heard}`;
}

/** The same for a stream that nobody reads. */
async function queueChunks(world: World, bytes: number): Promise<string> {
  const { sessionId } = await waitingCall(world);
  const { lastSeq } = (await world.http("GET", `/api/sessions/${sessionId}`)).body;
  const open = async () => {
    const path = `http://localhost/api/sessions/${sessionId}/events?after=${lastSeq}`;
    const headers = { authorization: `Bearer ${world.owner}`, accept: "text/event-stream" };
    const response = await world.node.fetch(new Request(path, { headers }));
    return response.body!.getReader();
  };
  const read = await open();
  const unread = await open();
  await world.clock.settle();
  const first = 100_000;
  speaking.output("x".repeat(first));
  const { value } = await read.read();
  const around = value!.byteLength - first;
  // The second piece tells its offset, which has five digits more than none.
  speaking.output("x".repeat(bytes - value!.byteLength - around - 5));
  const { done } = await unread.read();
  await Promise.all([read.cancel(), unread.cancel()]);
  return done ? "ended" : "accepted";
}

const http = (limit: Edge["limit"], path: (n: number, prompt: string) => string): Edge => ({
  limit,
  through: path(0, "ID").replace("=0", "=N"),
  beyond: "400 invalid_request",
  async reach(world, count) {
    const { sessionId, interactionId } = await waitingCall(world);
    const answer = { action: "approve" };
    await world.http("POST", `/api/interactions/${interactionId}/respond`, answer);
    const id = limit === "eventsPageMax" ? sessionId : interactionId;
    return replyOf(await world.http("GET", path(count, id)));
  },
});

/** A grant whose row has that many bytes: those of its texts, and 8 for anything else. */
async function addGrant(world: World, bytes: number): Promise<void> {
  const id = world.clock.now().toString() + String(Math.random()).slice(2, 12);
  const row = grant(id, { key: "" });
  const around = Object.values(row).reduce<number>(
    (sum, value) => sum + (typeof value === "string" ? value.length : 8),
    0,
  );
  const set = { ...row, key: "x".repeat(bytes - around) };
  const writes = [{ table: "grants", id, ifVersion: 0, set } as const];
  await world.store.commit({ writes, events: [] });
}

/** What is on its way to clients, and how much of it at once. */
export const FLOW_EDGES: Edge[] = [
  {
    limit: "queuedBytesPerClient",
    through: "a direct channel that is not read",
    beyond: "closed 4008",
    reach: queueFrames,
  },
  {
    limit: "queuedBytesPerClient",
    through: "an event stream that is not read",
    beyond: "ended",
    reach: queueChunks,
  },
  ...Object.entries(SILENT_LINES).map(([name, open]): Edge => ({
    limit: "helloBytes",
    through: `a hello by ${name}`,
    beyond: "closed 4009",
    reach: (world, bytes) =>
      withLine(open(world), async (client) => {
        client.send(sizedJson({ type: "hello", protocolVersion: 1 }, bytes));
        return heardBy(client, (frame) => frame.type === "welcome");
      }),
  })),
  http("eventsPageMax", (limit, id) => `/api/sessions/${id}/events?limit=${limit}`),
  http("listPageMax", (limit) => `/api/sessions?limit=${limit}`),
  http("listPageMax", (limit) => `/api/interactions?limit=${limit}`),
  http("waitMaxSeconds", (wait, id) => `/api/interactions/${id}?wait=${wait}`),
  http("listPageMax", (limit) => `/api/grants?limit=${limit}`),
  {
    limit: "listPageBytes",
    through: "two grants that are listed at once",
    within: "both",
    beyond: "one",
    async reach(world, bytes) {
      const { grants } = (await world.http("GET", "/api/grants")).body;
      for (const { id } of grants) await world.http("DELETE", `/api/grants/${id}`);
      const first = Math.floor(bytes / 2);
      await addGrant(world, first);
      await addGrant(world, bytes - first);
      const page = (await world.http("GET", "/api/grants")).body;
      return page.grants.length === 2 ? "both" : "one";
    },
  },
  {
    limit: "eventsPageBytes",
    through: "two events of a log that are read at once",
    within: "both",
    beyond: "one",
    async reach(world, bytes) {
      const { id } = await world.session();
      // Each counts as its payload and 200 bytes around it.
      const around = 200 + JSON.stringify({ text: "" }).length;
      const first = Math.floor(bytes / 2);
      const events = [first, bytes - first].map((size, index) => ({
        id: `${id}-${index}`,
        type: "text" as const,
        at: world.clock.now(),
        payload: { text: "x".repeat(size - around) },
      }));
      await world.store.commit({ sessionId: id, writes: [], events });
      return (await world.log(id)).length === 2 ? "both" : "one";
    },
  },
  {
    limit: "eventsPageDefault",
    through: "a log that is read without a limit",
    within: "all",
    beyond: "all but 1",
    async reach(world, count) {
      const { id } = await world.session();
      const events = listOf(count, (index) => ({
        id: `${id}-${index}`,
        type: "text" as const,
        at: world.clock.now(),
        payload: { text: "hello" },
      }));
      await world.store.commit({ sessionId: id, writes: [], events });
      const missing = count - (await world.log(id)).length;
      return missing === 0 ? "all" : `all but ${missing}`;
    },
  },
];
