import type { InteractionRow } from "../../src/core/index.ts";
import { LIMITS } from "../../src/protocol/index.ts";
import { person } from "../scenarios/rig.ts";
import { held } from "./count-tools.ts";
import { operate } from "../scenarios/turns.ts";
import type { World } from "../scenarios/world.ts";
import type { Client } from "../scenarios/client.ts";
import type { Edge } from "./edge.ts";
import { ENTRANCES, heardBy, LINES, replyOf, withLine } from "./entrances.ts";
import { listOf } from "./values.ts";

/** A session and a client in process that follows it. */
async function conversing<Result>(
  world: World,
  work: (client: Client, sessionId: string) => Promise<Result>,
): Promise<Result> {
  const { id } = await world.session();
  return withLine(world.direct({}), async (client) => {
    await client.subscribe(id);
    return work(client, id);
  });
}

/** How the call ended: with its result, or with the code of its error. */
async function resultOf(client: Client): Promise<string> {
  const { payload } = await client.event("tool_result");
  return payload.ok ? String(payload.result) : (payload.error?.code ?? "");
}

/** Waits until the session has so many prompts, or one of its calls has failed. */
async function promptsOrFailure(client: Client, count: number): Promise<string> {
  const failed = () => client.events().find(({ type }) => type === "tool_result");
  await client.until(
    () =>
      failed() !== undefined ||
      client.events().filter(({ type }) => type === "interaction_request").length === count,
  );
  return failed() ? resultOf(client) : "accepted";
}

type Respond = (world: World, client: Client, request: any) => unknown;
const RESPONDS: Record<string, Respond> = {
  "answers by HTTP": (world, _client, { payload }) =>
    world.http("POST", `/api/interactions/${payload.interactionId}/respond`, { action: "submit" }),
  ...Object.fromEntries(
    Object.entries(LINES).map(([name, open]): [string, Respond] => [
      `answers by ${name}`,
      (world, _client, request) =>
        withLine(open(world), (client) => client.answer(request, { action: "submit" })),
    ]),
  ),
  "silence, in process": (world) => world.advance(1_000),
};

const reprompts = Object.entries(RESPONDS).map(([through, respond]): Edge => ({
  limit: "reprompts",
  through,
  beyond: "too_many_reprompts",
  reach: (world, times) =>
    conversing(world, async (client, sessionId) => {
      await client.say(sessionId, `/call t_repeat ${JSON.stringify({ times })}`);
      for (let attempt = 1; attempt <= Math.min(times, 20) + 1; attempt++) {
        await respond(world, client, await client.event("interaction_request", attempt));
      }
      return resultOf(client);
    }),
}));

const openPrompts = (
  through: string,
  ask: (world: World, client: Client, sessionId: string, count: number) => unknown,
): Edge => ({
  limit: "openPromptsPerSession",
  through,
  beyond: "too_many",
  reach: (world, count) =>
    conversing(world, async (client, sessionId) => {
      await ask(world, client, sessionId, count);
      return promptsOrFailure(client, count);
    }),
});

/** The session has one prompt that is queued, and a turn that waits for another. */
async function behindAnother(world: World, client: Client, sessionId: string) {
  await client.say(sessionId, "/call t_later {}");
  const queued = await client.event("interaction_request");
  await world.advance(1_000);
  await client.event("turn_end");
  await client.say(sessionId, "/call t_ask {}");
  await client.event("interaction_request", 2);
  return queued.payload.interactionId;
}

const queuedMessages = ENTRANCES.map((entrance): Edge => ({
  limit: "queuedMessagesPerSession",
  through: `messages by ${entrance.name}`,
  beyond: entrance.kind === "http" ? "429 too_many" : "error too_many",
  reach: (world, count) =>
    conversing(world, async (client, sessionId) => {
      await behindAnother(world, client, sessionId);
      for (let sent = 1; sent < count; sent++) await client.say(sessionId, "hello");
      const message = JSON.stringify(entrance.message(sessionId, "the last"));
      return entrance.send(world, sessionId, message);
    }),
}));

/** How many times its prompts are asked, and what waits. */
export const COUNT_EDGES: Edge[] = [
  ...reprompts,
  openPrompts("calls by HTTP", (world, _client, sessionId, count) => {
    for (let call = 0; call < count; call++) {
      void operate(world, sessionId, "t_ask").catch(() => {});
    }
  }),
  openPrompts("calls of an agent", (_world, client, sessionId, count) =>
    client.say(sessionId, `/parallel ${listOf(count, () => "t_ask {}").join(" | ")}`),
  ),
  openPrompts("one tool, in process", (_world, client, sessionId, count) =>
    client.say(sessionId, `/call t_many ${JSON.stringify({ count })}`),
  ),
  {
    limit: "openPromptsKeptForSession",
    through: "what is left after a machine has asked in a session that is not its own",
    least: true,
    beyond: "429 too_many",
    async reach(world, left) {
      const { id: sessionId } = await world.session();
      const authorization = `Bearer ${await world.machine(sessionId)}`;
      const question = { sessionId, type: "approval" };
      for (let open = left + 1; open < LIMITS.openPromptsPerSession; open++) {
        await world.http("POST", "/api/interactions", question);
      }
      return replyOf(await world.http("POST", "/api/interactions", question, { authorization }));
    },
  },
  ...queuedMessages,
  {
    limit: "queuedMessagesPerSession",
    through: "a late answer behind messages",
    beyond: "429 too_many",
    reach: (world, count) =>
      conversing(world, async (client, sessionId) => {
        const queued = await behindAnother(world, client, sessionId);
        for (let sent = 1; sent < count; sent++) await client.say(sessionId, "hello");
        const path = `/api/interactions/${queued}/respond`;
        return replyOf(await world.http("POST", path, { action: "approve" }));
      }),
  },
  {
    limit: "framesInFlightPerClient",
    through: "answers that are held",
    beyond: "error too_many",
    reach: (world, count) =>
      conversing(world, async (client, sessionId) => {
        held.reset();
        await client.say(sessionId, "/call t_held {}");
        const { payload } = await client.event("interaction_request");
        await world.advance(1_000);
        await held.reached;
        const { toolCallId: callId, interactionId } = payload;
        for (let sent = 0; sent < count; sent++) {
          const answer = { sessionId, callId, interactionId, action: "approve" };
          client.send({ type: "tool_interaction_response", ...answer });
        }
        client.send({ type: "ping" });
        const refused = (frame: any) => frame.type === "interaction_result" && !frame.ok;
        const verdict = await heardBy(client, (frame) => frame.type === "pong" || refused(frame));
        held.open();
        await client.event("tool_result");
        return verdict;
      }),
  },
  {
    limit: "subscriptionsPerClient",
    through: "the direct channel",
    beyond: "error too_many",
    reach: followSessions,
  },
];

/** Fills the whole server: to be tried last. */
export const SERVER_EDGES: Edge[] = [
  {
    limit: "openPromptsPerServer",
    through: "prompts of all sessions together",
    beyond: "too_many",
    reach: (world, count) =>
      conversing(world, async (client, sessionId) => {
        await multiply(world, count - 1 - (await world.store.openCount()));
        await client.say(sessionId, "/call t_ask {}");
        return promptsOrFailure(client, 1);
      }),
  },
];

/** Follows so many sessions on one connection; says what became of the last. */
async function followSessions(world: World, count: number): Promise<string> {
  const sessions = await Promise.all(
    listOf(count, () => world.node.core.createSession(person, {})),
  );
  const channel = world.node.connect(world.owner);
  const replies: any[] = [];
  let heard = () => {};
  channel.onFrame = (text) => {
    const frame = JSON.parse(text);
    if (["subscribed", "error"].includes(frame.type)) replies.push(frame);
    heard();
  };
  channel.send(JSON.stringify({ type: "hello", protocolVersion: 1 }));
  for (const { id: sessionId } of sessions) {
    channel.send(JSON.stringify({ type: "subscribe", sessionId }));
    const sent = replies.length + 1;
    while (replies.length < sent) await new Promise<void>((resolve) => (heard = resolve));
  }
  channel.close();
  const [last] = replies.slice(-1);
  return last.type === "error" ? `error ${last.code}` : "accepted";
}

/** Stores as many prompts more, each like one that is open. */
async function multiply(world: World, copies: number): Promise<void> {
  const [found] = (await world.store.openInteractions({ limit: 1 })).rows;
  const row = found as InteractionRow;
  const { toolCallId, interactionId, toolName, interactionType, presentation } = row.request;
  const short = { toolCallId, interactionId, toolName, interactionType, presentation, attempt: 1 };
  const { id: sessionId } = await world.session();
  const writes = listOf(copies, (index) => {
    const id = `${sessionId}-${index}`;
    const set = { ...row, id, sessionId, callId: id, request: short };
    return { table: "interactions", id, ifVersion: 0, set } as const;
  });
  await world.store.commit({ writes, events: [] });
}
