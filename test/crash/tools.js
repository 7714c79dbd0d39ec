import { randomUUID } from "node:crypto";
import { openSync, writeSync } from "node:fs";

const parameters = { type: "object" };

/**
 * What the outside world saw of the steps: one line an effect, on disk before the step returns. A
 * step gives the name of its line as its result, so the journal says which of them was recorded.
 */
function openEffects(path) {
  const file = openSync(path, "a");
  return (ctx, name, at = "", key = ctx.uuid()) => {
    const nonce = randomUUID();
    const { sessionId, toolCallId } = ctx;
    const line = { sessionId, toolCallId, at, name, nonce, key, time: ctx.now() };
    writeSync(file, `${JSON.stringify(line)}\n`);
    return nonce;
  };
}

/** Steps in the handler and in the hook, an approval, and a value that a replay must find again. */
export function createJourney(effectsPath) {
  const effect = openEffects(effectsPath);
  return async ({ id }, ctx) => {
    const uuid = ctx.uuid();
    await ctx.step("prepare", () => effect(ctx, "prepare", "", uuid));
    const answer = await ctx.requestInteraction({
      type: "approval",
      prompt: `Go on with ${uuid}?`,
      async onResponse({ action }, { interactionId }) {
        await ctx.step("record", () => effect(ctx, "record", interactionId));
        // Another run of the hook would have another outcome.
        return { complete: { action, outcome: randomUUID() } };
      },
    });
    if (answer.action === "approve") await ctx.step("act", () => effect(ctx, "act"));
    return { id, uuid, ...answer };
  };
}

export function createTools(effectsPath) {
  const effect = openEffects(effectsPath);
  const replay = {
    description: "For the crash tests",
    parameters,
    version: "1",
    durable: "replay",
  };

  return [
    { ...replay, name: "journey", handler: createJourney(effectsPath) },
    {
      ...replay,
      name: "insist",
      handler: ({ id }, ctx) =>
        ctx.requestInteraction({
          type: "input",
          inputSchema: form({ id: "code", type: "text", label: "Code", required: true }),
          async onResponse({ input }, { interactionId, attempt }) {
            await ctx.step("look", () => effect(ctx, "look", interactionId));
            if (input?.code !== "good") return { reprompt: { error: "Another code, please." } };
            return { complete: { id, attempt } };
          },
        }),
    },
    {
      ...replay,
      name: "guarded",
      async handler({ id, key }, ctx) {
        const before = await ctx.approvals.get(key);
        const granted = before ?? (await askForGrant(ctx, key));
        if (granted) await ctx.step("act", () => effect(ctx, "act"));
        return { id, granted };
      },
    },
    {
      ...replay,
      name: "held",
      approval: { key: ({ key }) => key },
      async handler({ id }, ctx) {
        await ctx.step("act", () => effect(ctx, "act"));
        return { id };
      },
    },
    {
      ...replay,
      name: "patient",
      handler: ({ id }, ctx) =>
        ctx.requestInteraction({
          type: "input",
          prompt: `Which port for ${id}?`,
          timeoutMs: 1_000,
          inputSchema: form({ id: "port", type: "text", label: "Port", required: true }),
          onResponse: ({ input }) => ({ complete: input }),
          onTimeout: () => ({ pending: { message: "It will come as a message." } }),
        }),
    },
    {
      ...replay,
      name: "unlock",
      handler: ({ id }, ctx) =>
        ctx.requestInteraction({
          type: "input",
          inputSchema: form(
            { id: "user", type: "text", label: "User", required: true },
            { id: "password", type: "secret", label: "Password", required: true },
          ),
          async onResponse({ input }, { interactionId }) {
            await ctx.step("open", () => effect(ctx, "open", interactionId));
            return { complete: { id, user: input?.user, length: input?.password.length } };
          },
        }),
    },
    {
      name: "fleeting",
      description: "Cannot be run again",
      parameters,
      async handler({ id }, ctx) {
        effect(ctx, "begin");
        const answer = await ctx.requestInteraction({
          type: "approval",
          prompt: "Quickly?",
          onResponse: ({ action }) => ({ complete: action }),
        });
        if (answer === "approve") effect(ctx, "act");
        return { id, answer };
      },
    },
  ];
}

function askForGrant(ctx, key) {
  return ctx.requestInteraction({
    type: "approval",
    prompt: `May it use ${key}?`,
    async onResponse({ action, approvalScope }) {
      if (action !== "approve") return { complete: null };
      await ctx.approvals.set(key, approvalScope);
      return { complete: approvalScope };
    },
  });
}

function form(...fields) {
  return { type: "form", fields };
}
