import { expect, test } from "vitest";
import { defineTool, type ToolContext } from "../../src/core/index.ts";
import type { InputSchema } from "../../src/protocol/index.ts";
import { World, type WorldOptions } from "./world.ts";

/*
 * The six traps that a naive replay falls into. Each scenario kills the server while a prompt is
 * open, so that the answer finds no closure and the call is run again from its top.
 */

const form: InputSchema = {
  type: "form",
  fields: [{ id: "value", type: "text", label: "Value", required: true }],
};
const answer = (value: string) => ({ action: "submit", input: { value } });
const params = { type: "object" };

function trap(sentence: string, options: WorldOptions, scenario: (world: World) => Promise<void>) {
  for (const mode of ["single", "alwaysOrphan"] as const) {
    test(`${sentence} (${mode})`, async () => {
      await using world = await World.start({ ...options, mode });
      await scenario(world);
    });
  }
}

/** Kills the server and comes back as the same person would. */
async function killAndReturn(world: World, sessionId: string) {
  await world.crash();
  const client = await world.person();
  await client.subscribe(sessionId);
  return client;
}

{
  const effects: string[] = [];
  const tool = defineTool({
    name: "checked",
    description: "Asks until the value is good.",
    parameters: params,
    durable: "replay",
    handler: (_args, ctx) =>
      ctx.requestInteraction({
        type: "input",
        inputSchema: form,
        async onResponse(response) {
          const value = await ctx.step("note", () => {
            effects.push(String(response.input?.["value"]));
            return response.input?.["value"];
          });
          return value === "bad"
            ? { reprompt: { type: "input", inputSchema: form, error: "no" } }
            : { complete: value };
        },
      }),
  });
  trap(
    "a step in onResponse of the second attempt is not that of the first",
    { tools: [tool] },
    async (world) => {
      effects.length = 0;
      const { session, client } = await world.conversation();
      await client.say(session.id, "/call checked {}");
      await client.answer(await client.event("interaction_request"), answer("bad"));
      await client.event("interaction_request", 2);
      const again = await killAndReturn(world, session.id);
      await again.answer(await again.event("interaction_request", 2), answer("good"));
      expect((await again.event("tool_result")).payload.result).toBe("good");
      expect(effects).toEqual(["bad", "good"]);
    },
  );
}

{
  let runs = 0;
  const ask = (ctx: ToolContext, key: string | undefined) =>
    ctx.requestInteraction({
      type: "input",
      ...(key ? { key } : {}),
      prompt: "Your number?",
      inputSchema: form,
      onResponse: (response) => ({ complete: response.input?.["value"] }),
    });
  const twin = defineTool({
    name: "twins",
    description: "Asks the same twice at once, in another order each time it runs.",
    parameters: params,
    durable: "replay",
    async handler(_args, ctx) {
      const names = ++runs % 2 === 1 ? ["left", "right"] : ["right", "left"];
      const values = await Promise.all(names.map(async (name) => [name, await ask(ctx, name)]));
      return Object.fromEntries(values) as unknown;
    },
  });
  const nameless = defineTool({
    name: "nameless",
    description: "Asks the same twice at once without telling them apart.",
    parameters: params,
    durable: "replay",
    handler: (_args, ctx) => Promise.all([ask(ctx, undefined), ask(ctx, undefined)]),
  });
  trap(
    "two equal prompts keep their own answers when replay asks in another order",
    { tools: [twin, nameless] },
    async (world) => {
      runs = 0;
      const { session, client } = await world.conversation();
      await client.say(session.id, "/call twins {}");
      const requests = [
        await client.event("interaction_request"),
        await client.event("interaction_request", 2),
      ];
      const again = await killAndReturn(world, session.id);
      for (const request of requests) {
        const { key } = await world.interaction(request.payload.interactionId);
        await again.answer(request, answer(key.includes("left") ? "1" : "2"));
      }
      expect((await again.event("tool_result")).payload.result).toEqual({ left: "1", right: "2" });
    },
  );
  trap(
    "without a key the second of two open prompts is refused",
    { tools: [nameless] },
    async (world) => {
      const { session, client } = await world.conversation();
      await client.say(session.id, "/call nameless {}");
      expect((await client.event("tool_result")).payload.error?.code).toBe("key_required");
    },
  );
}

{
  const tool = defineTool({
    name: "captured",
    description:
      "Carries an answer past its outcome in a variable, which no restart can bring back.",
    parameters: params,
    durable: "replay",
    async handler(_args, ctx) {
      let caught: unknown;
      await ctx.requestInteraction({
        type: "input",
        prompt: "Delete what?",
        inputSchema: form,
        onResponse(response) {
          caught = response.input?.["value"];
          return { complete: true };
        },
      });
      return ctx.requestInteraction({
        type: "approval",
        prompt: `Really delete ${String(caught)}?`,
        onResponse: (response) => ({ complete: { deleted: caught, action: response.action } }),
      });
    },
  });
  trap(
    "a hook's value in a captured variable never turns an approval into one for something else",
    { tools: [tool] },
    async (world) => {
      const { session, client } = await world.conversation();
      await client.say(session.id, "/call captured {}");
      await client.answer(await client.event("interaction_request"), answer("a.txt"));
      const request = await client.event("interaction_request", 2);
      expect(request.payload.prompt).toBe("Really delete a.txt?");
      const again = await killAndReturn(world, session.id);
      expect((await again.answer(request, { action: "approve" })).ok).toBe(true);
      const result = await again.event("tool_result");
      expect(result.payload).toMatchObject({ ok: false, error: { code: "tool_interrupted" } });
      const message = await again.event(
        "user_message",
        (payload) => payload.source === "late_answer",
      );
      expect(message.payload.text).toContain("Really delete a.txt?");
      expect(again.events().filter((event) => event.type === "interaction_request")).toHaveLength(
        2,
      );
    },
  );
}

{
  const tool = defineTool<{ grant?: boolean }>({
    name: "pass",
    description: "Grants a pass that is good once, or uses it.",
    parameters: params,
    durable: "replay",
    async handler(args, ctx) {
      const had = args.grant ? null : await ctx.approvals.get("door");
      return ctx.requestInteraction({
        type: "approval",
        prompt: args.grant ? "Grant?" : "Go on?",
        async onResponse() {
          if (args.grant) await ctx.approvals.set("door", "once");
          return { complete: { had } };
        },
      });
    },
  });
  trap(
    "a once grant that was read before the crash is still had after it, and by nobody else",
    { tools: [tool] },
    async (world) => {
      const { session, client } = await world.conversation();
      await client.say(session.id, '/call pass {"grant":true}');
      await client.answer(await client.event("interaction_request"), { action: "approve" });
      await client.event("turn_end");
      await client.say(session.id, "/call pass {}");
      await client.event("interaction_request", 2);
      const again = await killAndReturn(world, session.id);
      await again.answer(await again.event("interaction_request", 2), { action: "approve" });
      expect((await again.event("tool_result", 2)).payload.result).toEqual({ had: "once" });
      await again.event("turn_end", 2);
      await again.say(session.id, "/call pass {}");
      await again.answer(await again.event("interaction_request", 3), { action: "approve" });
      expect((await again.event("tool_result", 3)).payload.result).toEqual({ had: null });
    },
  );
}

{
  const tool = defineTool({
    name: "lonely_ask",
    description: "Says whether somebody was there when it began.",
    parameters: params,
    durable: "replay",
    handler(_args, ctx) {
      const { available } = ctx.interaction;
      return ctx.requestInteraction({
        type: "approval",
        prompt: available ? "Somebody is here." : "Nobody is here.",
        whenUnavailable: "wait",
        onResponse: () => ({ complete: { available } }),
      });
    },
  });
  trap(
    "what ctx.interaction said before the crash it says again",
    { tools: [tool] },
    async (world) => {
      const session = await world.session();
      const post = { "x-session-id": session.id, "x-tool-call-id": "lonely-1" };
      const hungUp = world
        .http("POST", "/api/plugins/lonely/operations/ask", {}, post)
        .catch(() => {});
      const watching = await world.person({ interaction: { supported: true, enabled: false } });
      await watching.subscribe(session.id);
      const request = await watching.event("interaction_request");
      expect(request.payload.prompt).toBe("Nobody is here.");
      const again = await killAndReturn(world, session.id);
      await hungUp;
      expect((await again.answer(request, { action: "approve" })).ok).toBe(true);
      expect((await again.event("tool_result")).payload.result).toEqual({ available: false });
    },
  );
}

{
  let wallClock = () => 0;
  const ask = (name: string, time: (ctx: ToolContext) => number) =>
    defineTool({
      name,
      description: "Puts the time into its question.",
      parameters: params,
      durable: "replay",
      handler: (_args, ctx) =>
        ctx.requestInteraction({
          type: "approval",
          prompt: `It is ${time(ctx)}. Go?`,
          onResponse: (response) => ({ complete: response.action }),
        }),
    });
  const tools = [ask("journaled_clock", (ctx) => ctx.now()), ask("wall_clock", () => wallClock())];
  trap(
    "a clock in the prompt's text is the journaled one, and another makes the call an orphan",
    { tools },
    async (world) => {
      wallClock = () => world.clock.now();
      const { session, client } = await world.conversation();
      await client.say(session.id, "/parallel journaled_clock {} | wall_clock {}");
      await client.event("interaction_request", 2);
      await world.advance(1_000);
      const again = await killAndReturn(world, session.id);
      await again.event("interaction_request", 2);
      for (const event of again.events()) {
        if (event.type === "interaction_request") await again.answer(event, { action: "approve" });
      }
      const good = await again.event(
        "tool_result",
        (payload) => payload.toolName === "journaled_clock",
      );
      expect(good.payload.result).toBe("approve");
      const bad = await again.event("tool_result", (payload) => payload.toolName === "wall_clock");
      expect(bad.payload.error?.code).toBe("tool_interrupted");
      const message = await again.event(
        "user_message",
        (payload) => payload.source === "late_answer",
      );
      expect(message.payload.text).toContain("approved");
    },
  );
}

{
  const tool = defineTool({
    name: "numbered",
    description: "Draws one id inside a step and one after it, which the question shows.",
    parameters: params,
    durable: "replay",
    async handler(_args, ctx) {
      const inner = await ctx.step("draw", () => ctx.uuid());
      const outer = ctx.uuid();
      return ctx.requestInteraction({
        type: "approval",
        prompt: `Use ${outer}?`,
        onResponse: () => ({ complete: inner !== outer }),
      });
    },
  });
  trap(
    "a value taken inside a step does not shift those taken after it",
    { tools: [tool] },
    async (world) => {
      const { session, client } = await world.conversation();
      await client.say(session.id, "/call numbered {}");
      await client.event("interaction_request");
      const again = await killAndReturn(world, session.id);
      await again.answer(await again.event("interaction_request"), { action: "approve" });
      expect((await again.event("tool_result")).payload.result).toBe(true);
    },
  );
}
