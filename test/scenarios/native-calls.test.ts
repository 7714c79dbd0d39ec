import { expect } from "vitest";
import type { AgentRuntime, Turn } from "../../src/core/index.ts";
import { checkLog } from "./always-true.ts";
import { EventStream } from "./event-stream.ts";
import { createDoor } from "./turns.ts";
import { inEveryMode } from "./verifies.ts";
import type { World } from "./world.ts";

/** An agent that executes its calls itself and goes on by itself; a scenario says what it does. */
let act: (turn: Turn) => Promise<void>;
const runtime: AgentRuntime = {
  id: "runtime",
  name: "Runtime",
  description: "For tests.",
  capabilities: { reenter: "native", steer: true },
  canResume: () => true,
  async run(turn) {
    await act(turn);
    return { status: "completed" };
  },
};
const agents = [runtime];

async function talk(world: World) {
  const client = await world.person();
  const session = await world.session({ agent: "runtime" });
  await client.subscribe(session.id);
  return { client, session };
}

inEveryMode(
  "an id that the model uses again is another call, and is asked about again",
  { agents },
  async (world) => {
    const allowed: unknown[] = [];
    act = async (turn) => {
      for (const command of ["ls", "rm -rf /"]) {
        const use = { nativeId: "toolu_1", toolName: "Bash", input: { command } };
        const call = await turn.startCall(use);
        allowed.push((await call.approve({})).input);
        await call.end({ ok: true, result: "" });
      }
    };
    const { client, session } = await talk(world);
    await client.say(session.id, "go");
    await client.answer(await client.event("interaction_request"), { action: "approve" });
    const second = await client.event("interaction_request", 2);
    expect(second.payload.toolInput).toEqual({ command: "rm -rf /" });
    expect(allowed).toEqual([{ command: "ls" }]);
    await client.answer(second, { action: "approve" });
    await client.event("turn_end");
    const log = await world.log(session.id);
    expect(log.filter(({ type }) => type === "tool_result")).toHaveLength(2);
    checkLog(log);
  },
);

inEveryMode(
  "a call that had ended before its process died keeps its one result",
  { agents },
  async (world) => {
    let lives = 0;
    const door = createDoor();
    act = async (turn) => {
      const use = { nativeId: "toolu_1", toolName: "Bash", input: { command: "ls" } };
      const life = ++lives;
      const call = await turn.startCall(use);
      await call.approve({});
      await call.end({ ok: true, result: `life ${life}` });
      if (life > 1) return;
      door.arrive();
      await door.opened;
    };
    const { client, session } = await talk(world);
    await client.say(session.id, "go");
    await client.answer(await client.event("interaction_request"), { action: "approve" });
    await door.reached;
    await world.crash();
    const after = await world.person();
    await after.subscribe(session.id);
    await after.event("turn_end");
    const log = await world.log(session.id);
    const results = log.filter(({ type }) => type === "tool_result");
    expect(results.map(({ payload }) => payload)).toMatchObject([{ result: "life 1" }]);
    checkLog(log);
  },
);

inEveryMode(
  "a prompt that the runtime takes back while it is being asked is not left open",
  { agents },
  async (world) => {
    const door = createDoor();
    act = async (turn) => {
      const call = await turn.startCall({ nativeId: "toolu_1", toolName: "Bash", input: {} });
      const taken = new AbortController();
      const asked = call.approve({ signal: taken.signal, timeoutMs: null });
      taken.abort();
      await expect(asked).rejects.toMatchObject({ code: "interaction_cancelled" });
      door.arrive();
      await call.end({ ok: false, error: { code: "tool_cancelled", message: "Taken back." } });
    };
    const { client, session } = await talk(world);
    await client.say(session.id, "go");
    const outcome = await Promise.race([
      door.reached.then(() => "taken back"),
      client.event("interaction_request").then(async ({ payload }) => {
        const { body } = await world.http(
          "GET",
          `/api/interactions/${payload.interactionId}?wait=2`,
        );
        return body.status as string;
      }),
    ]);
    expect(["taken back", "cancelled"]).toContain(outcome);
  },
);

inEveryMode(
  "a message that steers comes too late for an agent that listens no more, and gets its own turn",
  { agents },
  async (world) => {
    const door = createDoor();
    const heard: string[] = [];
    act = async (turn) => {
      heard.push(turn.message.text);
      if (turn.message.text !== "first") return;
      turn.onMessage(({ text }) => heard.push(`joined: ${text}`));
      turn.onMessage(undefined);
      door.arrive();
      await door.opened;
    };
    const { client, session } = await talk(world);
    await client.say(session.id, "first");
    await door.reached;
    await client.say(session.id, "second", { delivery: "steer" });
    door.open();
    await client.event("turn_end", 2);
    expect(heard).toEqual(["first", "second"]);
  },
);

inEveryMode(
  "an agent that stops listening while it is given a message loses none",
  { agents },
  async (world) => {
    const door = createDoor();
    const heard: string[] = [];
    let hush = () => {};
    act = async (turn) => {
      heard.push(turn.message.text);
      if (turn.message.text !== "first") return;
      turn.onMessage(({ text }) => heard.push(`joined: ${text}`));
      hush = () => turn.onMessage(undefined);
      door.arrive();
      await door.opened;
    };
    const commit = world.store.commit.bind(world.store);
    world.store.commit = (change) => {
      if (change.writes.some(({ table, set }) => table === "runs" && "endedAt" in set)) hush();
      return commit(change);
    };
    const { client, session } = await talk(world);
    await client.say(session.id, "first");
    await door.reached;
    await client.say(session.id, "second", { delivery: "steer" });
    door.open();
    await client.event("turn_end", 2);
    expect(heard).toEqual(["first", "second"]);
  },
);

inEveryMode(
  "a message that joined a turn and is sent again follows that turn until done",
  { agents, latency: false },
  async (world) => {
    const door = createDoor();
    act = async (turn) => {
      turn.onMessage(() => {});
      door.arrive();
      await door.opened;
      await turn.text("Both heard.");
    };
    const { client, session } = await talk(world);
    await client.say(session.id, "first");
    await door.reached;
    const message = { content: "second", messageId: "m2", delivery: "steer" };
    const path = `/api/sessions/${session.id}/messages`;
    expect((await world.http("POST", path, message)).status).toBe(202);
    const stream = await EventStream.send(world, session.id, message);
    const [, sent] = (await world.log(session.id)).filter(({ type }) => type === "user_message");
    expect(sent?.turnId).toBe((await client.event("turn_start")).turnId);
    door.open();
    await stream.untilEnded();
    expect(stream.messages.at(-1)?.name).toBe("done");
    const late = await EventStream.send(world, session.id, message);
    await late.untilEnded();
    expect(late.messages.at(-1)?.name).toBe("done");
  },
);
