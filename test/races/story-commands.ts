import * as fc from "fast-check";
import { expect } from "vitest";
import { command, GRACE_MS, idle, type Model, newPrompt, type Real } from "./story-model.ts";

const isThere = (model: Model) =>
  (model.connected && model.enabled) || (!model.connected && model.graceUntil > model.now);

/** Who is there is told before it is stored; what a crash in that moment forgets is no story here. */
const presenceStored = (real: Real) => real.world.clock.settle();

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
      await presenceStored(real);
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
    await presenceStored(real);
  },
);

export async function join(model: Model, real: Real): Promise<void> {
  real.client = await real.world.person();
  real.seen.push(real.client);
  for (const id of real.sessions) await real.client.subscribe(id);
  await presenceStored(real);
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

/** Stories of up to 50 steps, of which those are taken that make sense where they stand. */
export const stories = fc.commands(
  [
    ...[0, 1].flatMap((session) => [
      fc.constant(ask(session)),
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
  // Without a size most stories have a handful of steps, and most of those make no sense.
  { maxCommands: 50, size: "max" },
);
