import { describe, expect, test } from "vitest";
import { defineTool, type ToolContext, type ToolDefinition } from "../core/index.ts";
import type { InputSchema } from "../protocol/index.ts";
import { checkDurableTool, type DurableToolOptions } from "./check-durable-tool.ts";

const form = (type: "text" | "secret" = "text"): InputSchema => ({
  type: "form",
  fields: [{ id: "value", type, label: "Value", required: true }],
});
const submit = (value: string) => ({ action: "submit" as const, input: { value } });
const approve = { action: "approve" } as const;

const ask = (ctx: ToolContext, prompt: string, key?: string) =>
  ctx.requestInteraction({
    type: "input",
    prompt,
    ...(key && { key }),
    inputSchema: form(),
    onResponse: ({ input }) => ({ complete: input?.["value"] }),
  });

const confirm = (ctx: ToolContext, prompt: string) =>
  ctx.requestInteraction({
    type: "approval",
    prompt,
    onResponse: ({ action }) => ({ complete: action }),
  });

function tool(handler: (ctx: ToolContext) => unknown, more: Partial<ToolDefinition> = {}) {
  return defineTool({
    name: "tried",
    description: "Is tried.",
    parameters: { type: "object" },
    version: "1",
    durable: "replay",
    handler: (_args, ctx) => handler(ctx),
    ...more,
  });
}

async function rulesOf(tried: ToolDefinition, options: DurableToolOptions = {}) {
  const report = await checkDurableTool(tried, options);
  expect(report.ok).toBe(report.broken.length === 0);
  return report.broken.map(({ rule, at }) => `${rule} at ${at}`);
}

describe("a tool that keeps the rules", () => {
  test("is told so, with how its call ended", async () => {
    let effects = 0;
    const careful = tool(async (ctx) => {
      const id = ctx.uuid();
      const price = await ctx.step("price", () => 10);
      const name = await ask(ctx, `Who pays ${price} at ${ctx.now()}?`);
      const action = await confirm(ctx, `Let ${String(name)} pay?`);
      await ctx.step("pay", () => void effects++);
      return { name, action, id };
    });
    const report = await checkDurableTool(careful, {
      answers: [submit("Ann"), approve],
      effects: () => effects,
    });
    expect(String(report)).toMatch(/^tried kept every rule in \d+ runs\.$/);
    expect(report.end).toMatchObject({ ok: true, result: { name: "Ann", action: "approve" } });
    // Two prompts, two outcomes, two steps and the end are stored: a death before each.
    expect(report.runs).toBeGreaterThanOrEqual(10);
  });

  test("may ask again, run steps in hooks, and let a time pass", async () => {
    const notes: string[] = [];
    const patient = tool((ctx) =>
      ctx.requestInteraction({
        type: "input",
        prompt: "A long name?",
        inputSchema: form(),
        timeoutMs: 2_000,
        async onResponse({ input }) {
          const value = String(input?.["value"]);
          await ctx.step("note", () => void notes.push(value));
          return value.length > 3
            ? { complete: value }
            : { reprompt: { type: "input", error: "Short" } };
        },
        onTimeout: () => ({ reprompt: { type: "input", error: "Still there?" } }),
      }),
    );
    const answers = [submit("Al"), "timeout" as const, submit("Albert")];
    expect(await rulesOf(patient, { answers, effects: () => notes.length })).toEqual([]);
  });

  test("may ask several things at once, each by its key", async () => {
    const both = tool((ctx) => Promise.all([ask(ctx, "One?", "one"), ask(ctx, "Two?", "two")]));
    const answers = [submit("1"), submit("2")];
    expect(await rulesOf(both, { answers })).toEqual([]);
  });

  test("may fail, and may use a secret", async () => {
    const login = tool((ctx) =>
      ctx.requestInteraction({
        type: "input",
        prompt: "Password?",
        inputSchema: form("secret"),
        onResponse: ({ input }) => ({ complete: input?.["value"] === "swordfish" }),
      }),
    );
    expect(await rulesOf(login, { answers: [submit("swordfish")] })).toEqual([]);
    const failing = tool(async (ctx) => {
      await confirm(ctx, "Fail?");
      throw Object.assign(new Error("It failed."), { code: "failed" });
    });
    expect(await rulesOf(failing, { answers: [approve] })).toEqual([]);
  });

  test("may give something else each time, if it asks the same", async () => {
    const random = tool(async (ctx) => {
      await confirm(ctx, "Draw?");
      return ctx.step("draw", () => Math.random());
    });
    expect(await rulesOf(random, { answers: [approve] })).toEqual([]);
  });
});

describe("a tool that breaks a rule is told which:", () => {
  let count = 0;

  test.each<[string, (ctx: ToolContext) => string]>([
    ["the wall clock", () => `It is ${Date.now()}. Go?`],
    ["today's date", () => `Today is ${new Date().toDateString()}. Go?`],
    ["chance", () => `Code ${Math.random()}. Go?`],
    ["a variable of the module", () => `Number ${++count}. Go?`],
  ])("unstable_prompt, for a prompt that shows %s", async (_what, prompt) => {
    const unstable = tool((ctx) => confirm(ctx, prompt(ctx)));
    expect(await rulesOf(unstable, { answers: [approve] })).toEqual([
      "unstable_prompt at prompt 1",
    ]);
  });

  test("closure_state, for a result that a hook left in a variable", async () => {
    const captured = tool(async (ctx) => {
      let name: unknown;
      await ctx.requestInteraction({
        type: "input",
        inputSchema: form(),
        onResponse({ input }) {
          name = input?.["value"];
          return { complete: true };
        },
      });
      return { name };
    });
    const report = await checkDurableTool(captured, { answers: [submit("Ann")] });
    expect(report.broken).toMatchObject([{ rule: "closure_state", at: "the result of the call" }]);
    expect(String(report)).toContain("{ complete: value }");
  });

  test("closure_state, for a prompt that shows what a hook left in a variable", async () => {
    const captured = tool(async (ctx) => {
      let file: unknown;
      await ctx.requestInteraction({
        type: "input",
        prompt: "Delete what?",
        inputSchema: form(),
        onResponse({ input }) {
          file = input?.["value"];
          return { complete: true };
        },
      });
      return confirm(ctx, `Really delete ${String(file)}?`);
    });
    const answers = [submit("a.txt"), approve];
    expect(await rulesOf(captured, { answers })).toEqual(["closure_state at prompt 2"]);
  });

  test("step_order, for steps that come in another order", async () => {
    let runs = 0;
    const shuffled = tool(async (ctx) => {
      const names = ++runs % 2 === 1 ? ["left", "right"] : ["right", "left"];
      for (const name of names) await ctx.step(name, () => name);
      return confirm(ctx, "Go?");
    });
    expect(await rulesOf(shuffled, { answers: [approve] })).toEqual([
      expect.stringMatching(/^step_order at step "(left|right)"$/),
    ]);
  });

  test("key_required, for prompts side by side without a key", async () => {
    const nameless = tool((ctx) => Promise.all([ask(ctx, "One?"), ask(ctx, "Two?")]));
    expect(await rulesOf(nameless)).toEqual(["key_required at the call"]);
  });

  test("key_required, for steps side by side of one name", async () => {
    const twins = tool((ctx) =>
      Promise.all([ctx.step("fetch", async () => 1), ctx.step("fetch", async () => 2)]),
    );
    expect(await rulesOf(twins)).toEqual(["key_required at the call"]);
  });

  test.each<[string, (ctx: ToolContext, send: () => void) => Promise<unknown>]>([
    ["before a prompt", async (ctx, send) => (send(), confirm(ctx, "Go?"))],
    ["after a prompt", async (ctx, send) => (await confirm(ctx, "Go?"), send())],
    [
      "in a hook",
      (ctx, send) =>
        ctx.requestInteraction({ type: "approval", onResponse: () => (send(), { complete: 1 }) }),
    ],
  ])("effect_outside_step, for one %s", async (_where, handler) => {
    let sent = 0;
    const careless = tool((ctx) => handler(ctx, () => void sent++));
    expect(await rulesOf(careless, { answers: [approve], effects: () => sent })).toEqual([
      "effect_outside_step at the call",
    ]);
  });

  test.each<[string, (ctx: ToolContext) => unknown, string]>([
    ["a step", (ctx) => ctx.step("when", () => new Date()), 'the step "when"'],
    ["the result", () => ({ sizes: new Map() }), "the result of the call"],
    [
      "an outcome",
      (ctx) =>
        ctx.requestInteraction({
          type: "approval",
          onResponse: () => ({ complete: { ratio: Number.NaN } }),
        }),
      "the outcome of prompt 1",
    ],
  ])("not_json, for %s", async (_what, handler, at) => {
    expect(await rulesOf(tool(handler), { answers: [approve] })).toEqual([`not_json at ${at}`]);
  });

  test.each<[string, (ctx: ToolContext, secret: string) => unknown, RegExp]>([
    ["an outcome", (_ctx, secret) => ({ complete: { secret } }), /the outcome of prompt/],
    [
      "a step",
      async (ctx, secret) => {
        await ctx.step("login", () => `user:${secret}`);
        return { complete: true };
      },
      /the step "login"/,
    ],
    [
      "a re-prompt",
      (_ctx, secret) =>
        secret === "swordfish"
          ? { reprompt: { type: "input", error: `${secret} is wrong` } }
          : { complete: true },
      /what prompt .* shows/,
    ],
  ])("secret_in_value, for %s", async (_what, hook, at) => {
    const leaking = tool(async (ctx) => {
      await ctx.requestInteraction({
        type: "input",
        inputSchema: form("secret"),
        onResponse: ({ input }) => hook(ctx, String(input?.["value"])) as never,
      });
      return "done";
    });
    const rules = await rulesOf(leaking, { answers: [submit("swordfish"), submit("tuna-fish")] });
    expect(rules).toEqual([expect.stringMatching(/^secret_in_value at /)]);
    expect(rules[0]).toMatch(at);
  });

  test("not_durable, for a tool that does not say that it can be run again", async () => {
    const orphan = tool((ctx) => confirm(ctx, "Go?"), { durable: "orphan" });
    expect(await rulesOf(orphan, { answers: [approve] })).toEqual(["not_durable at the tool"]);
  });

  test("version_missing is advice: nothing breaks before the tool changes", async () => {
    const report = await checkDurableTool(tool(() => 1, { version: undefined }));
    expect([report.ok, report.advice]).toMatchObject([true, [{ rule: "version_missing" }]]);
    expect(String(report)).toContain("version_missing");
  });
});

describe("a check throws when it can say nothing:", () => {
  const asking = tool((ctx) => ask(ctx, "Name?"));

  test.each<[string, ToolDefinition, DurableToolOptions, string]>([
    ["no answer is left", asking, {}, "asked 1 times, and the script has 0 answers"],
    [
      "an answer does not fit",
      asking,
      { answers: [submit("")] },
      "Answer 1 of the script does not",
    ],
    [
      "a prompt never times out",
      tool((ctx) =>
        ctx.requestInteraction({
          type: "approval",
          timeoutMs: null,
          onResponse: () => ({ complete: 1 }),
        }),
      ),
      { answers: ["timeout"] },
      "waits for ever",
    ],
    [
      "the arguments do not fit",
      tool(() => 1, { parameters: { type: "object", required: ["name"] } }),
      {},
      "did not run with these arguments",
    ],
    [
      "it does not go on",
      tool(() => new Promise(() => {})),
      { patienceMs: 50 },
      "neither asked nor",
    ],
  ])("%s", async (_why, tried, options, sentence) => {
    await expect(checkDurableTool(tried, options)).rejects.toThrow(sentence);
  });
});

test("in one of the runs every answer finds the handler gone", async () => {
  let lives = 0;
  let most = 0;
  const counting = tool(async (ctx) => {
    // Not run again in a later life of the same call.
    await ctx.step("begin", () => void (lives = 0));
    most = Math.max(most, ++lives);
    for (const name of ["One", "Two", "Three"]) await confirm(ctx, `${name}?`);
  });
  expect(await rulesOf(counting, { answers: [approve, approve, approve] })).toEqual([]);
  expect(most).toBe(4);
});

test("Date is the real one again after a check", async () => {
  const real = Date;
  const seen: number[] = [];
  await Promise.all([
    checkDurableTool(tool(() => void seen.push(Date.now()))),
    checkDurableTool(tool(() => void seen.push(new Date().getTime()))),
  ]);
  expect(globalThis.Date).toBe(real);
  expect(Math.min(...seen)).toBeGreaterThan(Date.now() + 3_600_000);
});

test("a tool with a time limit is not held to it while people are asked", async () => {
  const tool = defineTool({
    name: "limited",
    description: "Asks twice.",
    parameters: { type: "object" },
    version: "1",
    durable: "replay",
    timeoutMs: 1_000,
    async handler(_args, ctx) {
      const ask = () =>
        ctx.requestInteraction({
          type: "approval",
          onResponse: ({ action }) => ({ complete: action }),
        });
      return [await ask(), await ask()];
    },
  });
  const report = await checkDurableTool(tool, {
    answers: [{ action: "approve" }, { action: "deny" }],
  });
  expect(String(report)).toMatch(/^limited kept every rule/);
  expect(report.end).toEqual({ ok: true, result: ["approve", "deny"] });
});
