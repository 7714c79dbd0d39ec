import { expect } from "vitest";
import { story } from "./story.ts";
import { askingTool, submit, VALUE_FORM } from "./tools.ts";
import { verifies } from "./verifies.ts";

let runs: string[] = [];
const once = askingTool("once", (_args, ctx) => ({
  type: "input",
  inputSchema: VALUE_FORM,
  async onResponse(response) {
    const value = String(response.input?.["value"]);
    await ctx.step("run", () => void runs.push(value));
    return value === "bad" ? { reprompt: { type: "input", error: "No." } } : { complete: value };
  },
}));

verifies(
  "first-wins:all-told",
  "every client of the session gets the same request and the same response",
  { tools: [once] },
  async (world) => {
    const { session, client } = await world.conversation();
    const others = await Promise.all([world.person(), world.person(), world.person()]);
    for (const one of others) await one.subscribe(session.id);
    await client.say(session.id, "/call once {}");
    const request = await client.event("interaction_request");
    for (const one of others) expect(await one.event("interaction_request")).toEqual(request);
    await others[2].answer(request, submit("from the third"));
    const log = await client.event("turn_end").then(() => world.log(session.id));
    for (const one of [client, ...others]) {
      await one.event("turn_end");
      expect(one.events()).toEqual(log);
    }
  },
);

for (const count of [2, 50])
  verifies(
    "first-wins:one-winner",
    `of ${count} clients at once exactly one wins, and the others are told what it answered`,
    { tools: [once] },
    async (world) => {
      runs = [];
      const { session, client } = await world.conversation();
      const clients = await Promise.all(Array.from({ length: count }, () => world.person()));
      await client.say(session.id, "/call once {}");
      const request = await client.event("interaction_request");
      const replies = await Promise.all(
        clients.map((one, index) => one.answer(request, submit(`from ${index}`))),
      );
      const winners = replies.filter((reply) => reply["ok"]);
      expect(winners).toHaveLength(1);
      const won = winners[0]?.["response"];
      for (const reply of replies.filter((one) => !one["ok"])) {
        expect(reply).toMatchObject({ code: "already_answered", response: won });
      }
      const http = await world.http(
        "POST",
        `/api/interactions/${request.payload.interactionId}/respond`,
        submit("too late"),
      );
      expect(http).toMatchObject({
        status: 409,
        body: { code: "already_answered", response: won },
      });
      const result = await client.event("tool_result");
      expect(result.payload.result).toBe(won.input.value);
      expect(runs).toEqual([won.input.value]);
      await client.event("turn_end");
      const told = await story(world, session.id);
      expect(told.filter((line) => line === "interaction_response submit")).toHaveLength(1);
      expect((await client.event("interaction_response")).payload).toEqual(won);
    },
  );

verifies(
  "first-wins:one-winner",
  "the same answer five times gets five equal replies and is one event; another body is refused",
  { tools: [once] },
  async (world) => {
    runs = [];
    const { session, client } = await world.conversation();
    const other = await world.person();
    await client.say(session.id, "/call once {}");
    const request = await client.event("interaction_request");
    const answer = { ...submit("five"), responseId: "same" };
    const replies = await Promise.all(
      Array.from({ length: 5 }, (_, n) => (n % 2 ? other : client).answer(request, answer)),
    );
    for (const reply of replies) {
      expect(reply).toMatchObject({
        ok: true,
        responseId: "same",
        response: { answerId: "same", input: { value: "five" } },
      });
    }
    await client.event("turn_end");
    expect(await client.answer(request, answer)).toMatchObject({ ok: true });
    const changed = await client.answer(request, { ...submit("six"), responseId: "same" });
    expect(changed).toMatchObject({
      ok: false,
      code: "already_answered",
      response: { answerId: "same", input: { value: "five" } },
    });
    const path = `/api/interactions/${request.payload.interactionId}/respond`;
    expect(await world.http("POST", path, answer)).toMatchObject({
      status: 200,
      body: { status: "answered", response: { input: { value: "five" } } },
    });
    await world.crash();
    expect((await world.http("POST", path, answer)).status).toBe(200);
    expect(runs).toEqual(["five"]);
    const told = await story(world, session.id);
    expect(told.filter((line) => line.startsWith("interaction_response"))).toHaveLength(1);
  },
);

verifies(
  "first-wins:stale",
  "an answer to the prompt before a re-prompt is refused with the newer one's id",
  { tools: [once] },
  async (world) => {
    const { session, client } = await world.conversation();
    await client.say(session.id, "/call once {}");
    const first = await client.event("interaction_request", 1);
    const bad = { ...submit("bad"), responseId: "first" };
    await client.answer(first, bad);
    const second = await client.event("interaction_request", 2);
    const { interactionId: current, inputSchema } = second.payload;
    expect(inputSchema?.initialValues).toEqual({ value: "bad" });
    const stale = await client.answer(first, submit("slow person"));
    expect(stale).toMatchObject({
      ok: false,
      code: "stale_interaction",
      current,
      response: { answerId: "first", input: { value: "bad" } },
    });
    // The one who was heard may repeat itself: that is no new answer.
    expect(await client.answer(first, bad)).toMatchObject({ ok: true });
    const path = `/api/interactions/${first.payload.interactionId}/respond`;
    expect(await world.http("POST", path, submit("x"))).toMatchObject({
      status: 409,
      body: { code: "stale_interaction", current },
    });
    expect((await world.interaction(current)).status).toBe("open");
    await client.answer(second, submit("good"));
    await client.event("turn_end");
    expect(await client.answer(first, submit("x"))).toMatchObject({
      code: "already_answered",
      response: { input: { value: "bad" } },
    });
    const told = await story(world, session.id);
    expect(told.filter((line) => line.startsWith("interaction_response"))).toHaveLength(2);
  },
);
