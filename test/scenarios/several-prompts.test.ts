import { expect } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import type { Client } from "./client.ts";
import { callStory, story } from "./story.ts";
import { askingTool, submit, VALUE_FORM } from "./tools.ts";
import { verifies } from "./verifies.ts";

const value = askingTool("value", () => ({
  type: "input",
  inputSchema: VALUE_FORM,
  onResponse: (response) => ({ complete: response.input?.["value"] }),
}));

verifies(
  ["ask:blocks-nobody", "respond:names-prompt"],
  "two parallel calls are answered in reverse order, and each gets its own answer",
  { tools: [value] },
  async (world) => {
    const { session, client } = await world.conversation();
    await client.say(session.id, '/parallel value {"n":1} | value {"n":2}');
    const calls = [await client.event("tool_call", 1), await client.event("tool_call", 2)] as const;
    for (const [index, call] of calls.toReversed().entries()) {
      const { toolCallId, input } = call.payload;
      const request = await client.event(
        "interaction_request",
        (payload) => payload.toolCallId === toolCallId,
      );
      await client.answer(request, submit(JSON.stringify(input)));
      const result = await client.event("tool_result", index + 1);
      expect(result.payload).toMatchObject({ toolCallId, result: JSON.stringify(input) });
    }
    await client.event("turn_end");
    for (const call of calls) {
      expect(await callStory(world, session.id, call.payload.toolCallId)).toEqual([
        "tool_call",
        "interaction_pending true",
        "interaction_request 1",
        "interaction_response submit",
        "interaction_pending false",
        "tool_result ok",
      ]);
    }
  },
);

const KEYS = ["one", "two"];
/** Opens two prompts at once; their keys are their prompts too. */
const pair = defineTool<{ keys?: string[] }>({
  name: "pair",
  description: "Asks twice at once.",
  parameters: { type: "object" },
  durable: "replay",
  async handler({ keys }, ctx) {
    const ask = (prompt: string, key?: string) =>
      ctx.requestInteraction({
        type: "input",
        inputSchema: VALUE_FORM,
        prompt,
        ...(key === undefined ? {} : { key }),
        onResponse: (response) =>
          response.input?.["value"] === "bad"
            ? { reprompt: { type: "input", error: "No." } }
            : { complete: response.input?.["value"] },
      });
    return Promise.all(KEYS.map((prompt, index) => ask(prompt, keys?.[index])));
  },
});

function promptOf(client: Client, prompt: string, attempt = 1) {
  return client.event(
    "interaction_request",
    (payload) => payload.prompt === prompt && payload.attempt === attempt,
  );
}

for (const order of [
  ["one", "two"],
  ["two", "one"],
] as const) {
  verifies(
    ["outcome:complete", "respond:names-prompt"],
    `two prompts of one call are answered in any order: ${order.join(", ")}`,
    { tools: [pair] },
    async (world) => {
      const { session, client } = await world.conversation();
      await client.say(session.id, `/call pair ${JSON.stringify({ keys: KEYS })}`);
      const both = { one: await promptOf(client, "one"), two: await promptOf(client, "two") };
      expect(both.one.payload.toolCallId).toBe(both.two.payload.toolCallId);
      await client.answer(both[order[0]], submit("bad"));
      const again = await promptOf(client, order[0], 2);
      // The other prompt of the call is not what this one was replaced by.
      const stale = await client.answer(both[order[0]], submit("x"));
      expect(stale).toMatchObject({
        code: "stale_interaction",
        current: again.payload.interactionId,
      });
      await client.answer(both[order[1]], submit(`for ${order[1]}`));
      await client.answer(again, submit(`for ${order[0]}`));
      const { payload } = await client.event("tool_result");
      expect(payload).toMatchObject({ ok: true, result: ["for one", "for two"] });
      await client.event("turn_end");
      expect(await story(world, session.id)).toHaveLength(3 + 3 * 4 + 3);
    },
  );
}

verifies(
  "outcome:complete",
  "two prompts of one call survive a killed server between their answers",
  { tools: [pair] },
  async (world) => {
    const { session, client } = await world.conversation();
    await client.say(session.id, `/call pair ${JSON.stringify({ keys: KEYS })}`);
    const two = await promptOf(client, "two");
    const one = await promptOf(client, "one");
    await client.answer(two, submit("2"));
    await world.crash();
    const again = await world.person();
    await again.subscribe(session.id);
    await again.answer(one, submit("1"));
    expect((await again.event("tool_result")).payload.result).toEqual(["1", "2"]);
  },
);

verifies(
  "errors:hook-throws",
  "a second prompt that is opened beside another needs a key of its own",
  { tools: [pair] },
  async (world) => {
    const { session, client } = await world.conversation();
    for (const [index, keys] of [undefined, ["same", "same"]].entries()) {
      await client.say(session.id, `/call pair ${JSON.stringify({ keys })}`);
      const { payload } = await client.event("tool_result", index + 1);
      expect(payload).toMatchObject({ ok: false, error: { code: "key_required" } });
      await client.event("turn_end", index + 1);
    }
    const { body } = await world.http("GET", "/api/interactions?status=pending");
    expect(body.interactions).toEqual([]);
  },
);

verifies(
  "ask:blocks-nobody",
  "twenty prompts may be open in a session; one more is refused, and room is made by an answer",
  { tools: [value] },
  async (world) => {
    const { session, client } = await world.conversation();
    const uses = Array.from({ length: 21 }, (_, n) => `value {"n":${n}}`);
    await client.say(session.id, `/parallel ${uses.join(" | ")}`);
    const twentieth = await client.event("interaction_request", 20);
    const { payload } = await client.event("tool_result");
    expect(payload).toMatchObject({ ok: false, error: { code: "too_many" } });
    const { body } = await world.http("GET", `/api/interactions?sessionId=${session.id}`);
    expect(body.interactions).toHaveLength(20);

    // Another session has room of its own.
    const other = await world.conversation();
    await other.client.say(other.session.id, "/call value {}");
    await other.client.event("interaction_request");

    await client.answer(twentieth, submit("room"));
    await client.event("tool_result", 2);
    const calling = world.http(
      "POST",
      "/api/plugins/ask/operations/user",
      { question: "Now?" },
      {
        "x-session-id": session.id,
      },
    );
    const request = await client.event("interaction_request", 21);
    await client.answer(request, { action: "submit", input: { answer: "yes" } });
    expect((await calling).body).toMatchObject({ ok: true });
  },
);
