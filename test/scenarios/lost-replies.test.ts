import { afterEach, beforeEach, expect, test } from "vitest";
import { demoAgent } from "../../src/agents/index.ts";
import {
  type AgentRuntime,
  type Commit,
  defineTool,
  StoreUnavailable,
  type TurnEnd,
} from "../../src/core/index.ts";
import { NodePair } from "./node-pair.ts";
import { params, person } from "./rig.ts";
import { createDoor } from "./turns.ts";

/* A commit is stored, and the connection breaks before the node hears of that. */

let ran: string[] = [];
let door = createDoor();
let pair: NodePair;

/** Its turns cannot be run again: one that was entered is over when its process is gone. */
const fragile = {
  ...demoAgent,
  id: "fragile",
  capabilities: { ...demoAgent.capabilities, reenter: "none" },
  async run({ message }): Promise<TurnEnd> {
    ran.push(message.text);
    if (message.text === "wait") await door.opened;
    return { status: "completed" };
  },
} satisfies AgentRuntime;

const fleeting = defineTool({
  name: "fleeting",
  description: "Cannot be run again.",
  parameters: params,
  handler: () => {
    ran.push("fleeting");
    return "done";
  },
});

const guarded = defineTool({
  name: "guarded",
  description: "Runs when somebody allows it.",
  durable: "replay",
  parameters: params,
  approval: { key: () => "same", scopes: ["once", "session", "always"] },
  handler: () => {
    ran.push("guarded");
    return "done";
  },
});

beforeEach(async () => {
  ran = [];
  door = createDoor();
  pair = await NodePair.start([{ tools: [fleeting, guarded], agents: [fragile] }]);
  pair.nodes[0]!.attend();
});
afterEach(async () => pair[Symbol.asyncDispose]());

const core = () => pair.nodes[0]!.core;
const newSession = async (agent = "demo") => (await core().createSession(person, { agent })).id;

/** Of the next commit for which this is so the node does not hear. */
function loseReply(isIt: (commit: Commit) => boolean): void {
  pair.nodes[0]!.loseAnswer(({ method, given }) => method === "commit" && isIt(given[0] as Commit));
}

const tells = (type: string) => (commit: Commit) =>
  commit.events.some((event) => event.type === type);

test("a turn that starts with a commit whose reply is lost runs, once", async () => {
  const id = await newSession("fragile");
  loseReply(tells("turn_start"));
  const message = { text: "go", messageId: "m" };
  await expect(core().sendMessage(person, id, message)).rejects.toThrow(StoreUnavailable);
  expect(await core().sendMessage(person, id, message)).toMatchObject({ messageId: "m" });
  expect((await pair.event(id, "turn_end")).payload).toEqual({ status: "completed" });
  expect(ran).toEqual(["go"]);
});

test("a queued turn that starts with a commit whose reply is lost runs, once", async () => {
  const id = await newSession("fragile");
  await core().sendMessage(person, id, { text: "wait" });
  await core().sendMessage(person, id, { text: "go" });
  loseReply(tells("turn_start"));
  door.open();
  expect((await pair.event(id, "turn_end", 2)).payload).toEqual({ status: "completed" });
  expect(ran).toEqual(["wait", "go"]);
});

test("a call that begins with a commit whose reply is lost runs, once, for a caller who comes back", async () => {
  const sessionId = await newSession();
  const call = { sessionId, toolName: "fleeting", input: {}, origin: "http", toolCallId: "c" };
  loseReply(tells("tool_call"));
  await expect(core().callTool(person, call as never)).rejects.toThrow(StoreUnavailable);
  const again = core().callTool(person, call as never);
  await pair.event(sessionId, "tool_result");
  expect(await again).toEqual({ ok: true, result: "done" });
  expect(ran).toEqual(["fleeting"]);
});

test.each(["session", "always"] as const)(
  "what is allowed for %s reaches a prompt though the reply to that commit is lost, within seconds",
  async (scope) => {
    const first = await newSession();
    const second = scope === "always" ? await newSession() : first;
    const call = { toolName: "guarded", input: {}, origin: "http" } as const;
    const calls = [
      core().callTool(person, { ...call, sessionId: first }),
      core().callTool(person, { ...call, sessionId: second }),
    ];
    const asked = async () => (await pair.store.openCount()) === 2 || undefined;
    await pair.until(asked);
    loseReply(({ events }) =>
      events.some(({ type, payload }) => type === "interaction_response" && "grantId" in payload),
    );
    const { payload } = await pair.event(first, "interaction_request");
    const body = { action: "approve", approvalScope: scope } as const;
    await core().respond(person, {
      interactionId: payload.interactionId,
      via: "direct",
      body,
    });
    const begun = pair.clock.now();
    const done = await pair.until(() => (ran.length === 2 ? true : undefined));
    expect(done).toBe(true);
    expect(pair.clock.now() - begun).toBeLessThan(10_000);
    expect(await Promise.all(calls)).toEqual([
      { ok: true, result: "done" },
      { ok: true, result: "done" },
    ]);
  },
);
