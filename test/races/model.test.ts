import * as fc from "fast-check";
import { expect, test } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import { type Mode, World } from "../scenarios/world.ts";
import type { Client } from "../scenarios/client.ts";
import { checkLog } from "../scenarios/always-true.ts";

/*
 * Random stories of one person and two sessions, against a model that fits on a page. After every
 * step the server's list of open prompts must be the model's; at the end every log must hold its
 * invariants and what a client saw live must be what the log says.
 */

const TIMEOUT_MS = 120_000;
const GRACE_MS = 60_000;
/** How often to look at the server before its silence is a failure. */
const LOOKS = 1_000;

const tool = defineTool({
  name: "until_good",
  description: "Asks until the value is good.",
  parameters: { type: "object" },
  durable: "replay",
  handler: (_args, ctx) =>
    ctx.requestInteraction({
      type: "input",
      timeoutMs: TIMEOUT_MS,
      inputSchema: { type: "form", fields: [{ id: "value", type: "text", label: "Value" }] },
      onResponse: (response) =>
        response.input?.["value"] === "good"
          ? { complete: "done" }
          : { reprompt: { type: "input", error: "Not good." } },
    }),
});

interface Prompt {
  id: string;
  deadline: number;
}

/** What should be the case. */
interface Model {
  now: number;
  /** The open prompt of each session, and ended ones that were re-prompted. */
  open: Map<number, Prompt>;
  old: Map<number, string>;
  connected: boolean;
  enabled: boolean;
  graceUntil: number;
}

interface Real {
  world: World;
  sessions: string[];
  client: Client | undefined;
  seen: Client[];
}

type Command = fc.AsyncCommand<Model, Real>;

const isThere = (model: Model) =>
  (model.connected && model.enabled) || (!model.connected && model.graceUntil > model.now);

/** The open prompt of a session as the server lists it, when it is the expected number of them. */
async function listed(real: Real): Promise<Map<string, string>> {
  const { body } = await real.world.http("GET", "/api/interactions?status=pending");
  return new Map(
    (body.interactions as { sessionId: string; id: string }[]).map((one) => [
      one.sessionId,
      one.id,
    ]),
  );
}

async function idle(real: Real, session: number): Promise<void> {
  for (let looks = 0; looks < LOOKS; looks++) {
    const { body } = await real.world.http("GET", `/api/sessions/${real.sessions[session]}`);
    if (body.status === "idle") return;
  }
  throw new Error(`Session ${session} does not end its turn.`);
}

async function compare(model: Model, real: Real): Promise<void> {
  const expected = new Map(
    [...model.open].map(([session, prompt]) => [real.sessions[session], prompt.id]),
  );
  expect(await listed(real)).toEqual(expected);
}

async function newPrompt(
  model: Model,
  real: Real,
  session: number,
  besides?: string,
): Promise<void> {
  for (let looks = 0; looks < LOOKS; looks++) {
    const id = (await listed(real)).get(real.sessions[session] ?? "");
    if (id === undefined || id === besides) continue;
    model.open.set(session, { id, deadline: model.now + TIMEOUT_MS });
    return;
  }
  throw new Error(`Session ${session} does not ask.`);
}

function command(name: string, check: (model: Model) => boolean, run: Command["run"]): Command {
  return {
    check: (model) => check(model),
    async run(model, real) {
      await run(model, real);
      await compare(model, real);
    },
    toString: () => name,
  };
}

const send = (real: Real, session: number) =>
  real.world.http("POST", `/api/sessions/${real.sessions[session]}/messages`, {
    content: "/call until_good {}",
  });

const respond = (real: Real, id: string, value: string) =>
  real.world.http("POST", `/api/interactions/${id}/respond`, {
    action: "submit",
    input: { value },
  });

const ask = (session: number) =>
  command(
    `ask ${session}`,
    (model) => !model.open.has(session),
    async (model, real) => {
      expect((await send(real, session)).status).toBe(202);
      if (isThere(model)) return newPrompt(model, real, session);
      await idle(real, session);
      const events = await real.world.log(real.sessions[session] ?? "");
      const result = events.findLast((event) => event.type === "tool_result");
      expect(result?.payload).toMatchObject({ error: { code: "interaction_unavailable" } });
    },
  );

const answerGood = (session: number) =>
  command(
    `answer ${session}`,
    (model) => model.open.has(session),
    async (model, real) => {
      const id = model.open.get(session)?.id ?? "";
      expect((await respond(real, id, "good")).status).toBe(200);
      model.open.delete(session);
      model.old.delete(session);
      await idle(real, session);
    },
  );

const answerBad = (session: number) =>
  command(
    `reprompt ${session}`,
    (model) => model.open.has(session),
    async (model, real) => {
      const id = model.open.get(session)?.id ?? "";
      expect((await respond(real, id, "bad")).status).toBe(200);
      model.old.set(session, id);
      await newPrompt(model, real, session, id);
    },
  );

const answerOld = (session: number) =>
  command(
    `answer the prompt before ${session}`,
    (model) => model.old.has(session) && model.open.has(session),
    async (model, real) => {
      const reply = await respond(real, model.old.get(session) ?? "", "good");
      expect(reply).toMatchObject({
        status: 409,
        body: { code: "stale_interaction", current: model.open.get(session)?.id },
      });
    },
  );

const passTime = (ms: number) =>
  command(
    `${ms} ms pass`,
    () => true,
    async (model, real) => {
      await real.world.advance(ms);
      model.now += ms;
      for (const [session, prompt] of model.open) {
        if (prompt.deadline > model.now) continue;
        model.open.delete(session);
        model.old.delete(session);
        await idle(real, session);
      }
    },
  );

const cancel = (session: number) =>
  command(
    `cancel ${session}`,
    () => true,
    async (model, real) => {
      const reply = await real.world.http(
        "POST",
        `/api/sessions/${real.sessions[session]}/cancel`,
        {},
      );
      expect(reply.body).toEqual({ ok: true, stopped: model.open.has(session) });
      model.open.delete(session);
      model.old.delete(session);
    },
  );

const toggle = (enabled: boolean) =>
  command(
    `mode ${enabled ? "on" : "off"}`,
    (model) => model.connected && model.enabled !== enabled,
    async (model, real) => {
      await real.client?.ask({ type: "set_interaction_mode", enabled });
      model.enabled = enabled;
      if (!enabled) model.graceUntil = 0;
    },
  );

const disconnect = command(
  "disconnect",
  (model) => model.connected,
  async (model, real) => {
    await real.client?.close();
    real.client = undefined;
    model.connected = false;
    model.graceUntil = model.enabled ? model.now + GRACE_MS : 0;
    await real.world.clock.settle();
  },
);

async function join(model: Model, real: Real): Promise<void> {
  real.client = await real.world.person();
  real.seen.push(real.client);
  for (const id of real.sessions) await real.client.subscribe(id);
  model.connected = true;
  model.enabled = true;
}

const reconnect = command("reconnect", (model) => !model.connected, join);

const restart = command(
  "restart",
  () => true,
  async (model, real) => {
    await real.world.crash();
    real.client = undefined;
    // Whoever was there when the server died counts for a minute from the restart on.
    const was = model.connected ? model.enabled : model.graceUntil > model.now;
    const left = model.connected ? GRACE_MS : model.graceUntil - model.now;
    model.graceUntil = was ? model.now + left : 0;
    model.connected = false;
  },
);

const commands = fc.commands(
  [
    ...[0, 1].flatMap((session) => [
      fc.constant(ask(session)),
      fc.constant(ask(session)),
      fc.constant(answerGood(session)),
      fc.constant(answerBad(session)),
      fc.constant(answerOld(session)),
      fc.constant(cancel(session)),
    ]),
    fc.constantFrom(1_000, 30_000, 61_000, 120_000).map(passTime),
    fc.boolean().map(toggle),
    fc.constant(disconnect),
    fc.constant(reconnect),
    fc.constant(restart),
  ],
  { maxCommands: 25 },
);

async function tellStory(mode: Mode, story: Iterable<Command>): Promise<void> {
  await using world = await World.start({ mode, tools: [tool] });
  const sessions = [(await world.session()).id, (await world.session()).id];
  const real: Real = { world, sessions, client: undefined, seen: [] };
  const model: Model = {
    now: 0,
    open: new Map(),
    old: new Map(),
    connected: false,
    enabled: false,
    graceUntil: 0,
  };
  await join(model, real);
  await fc.asyncModelRun(() => ({ model, real }), story);
  for (const id of sessions) {
    const log = await world.log(id);
    checkLog(log);
    for (const client of real.seen) {
      const seen = client.events(id);
      expect(seen).toEqual(log.slice(0, seen.length));
    }
  }
}

for (const mode of ["single", "alwaysOrphan"] as const) {
  test(`random stories agree with the model (${mode})`, async () => {
    const runs = Number(process.env["BECKON_STORIES"] ?? 60);
    await fc.assert(
      fc.asyncProperty(commands, (story) => tellStory(mode, story)),
      { numRuns: runs, endOnFailure: true },
    );
  }, 300_000);
}
