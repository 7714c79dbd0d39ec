import { expect } from "vitest";
import type { Prompt } from "../../src/core/index.ts";
import type { World } from "./world.ts";
import { story } from "./story.ts";
import { askingTool, echo, formOf, VALUE_FORM } from "./tools.ts";
import { verifies } from "./verifies.ts";

/** Asks with exactly what it is called with. */
const ask = askingTool<{ request: Prompt; timeoutText?: string }>(
  "ask",
  ({ request, timeoutText }) => ({
    ...request,
    // JSON has no NaN and no Infinity: these come from code alone.
    ...(timeoutText === undefined ? {} : { timeoutMs: Number(timeoutText) }),
    onResponse: echo,
  }),
);

async function refusal(world: World, args: object): Promise<{ code: string; message: string }> {
  const { session, client } = await world.conversation();
  await client.say(session.id, `/call ask ${JSON.stringify(args)}`);
  const result = await client.event("tool_result");
  await client.event("turn_end");
  expect(await story(world, session.id)).not.toContain("interaction_request 1");
  expect(result.payload.ok).toBe(false);
  return result.payload.error as { code: string; message: string };
}

const YEAR = 365 * 86_400_000;

verifies(
  ["timeout:range", "timeout:deadline"],
  "a timeout outside of one second to 365 days is refused at once, and its edges are taken",
  { tools: [ask] },
  async (world) => {
    const bad = [999, 0, -1, YEAR + 1, "5m", "60000", true, {}].map((timeoutMs) => ({
      request: { type: "approval", timeoutMs },
    }));
    const unspeakable = ["NaN", "Infinity", "-Infinity"].map((timeoutText) => ({
      request: { type: "approval" },
      timeoutText,
    }));
    for (const args of [...bad, ...unspeakable]) {
      const error = await refusal(world, args);
      expect(error, JSON.stringify(args)).toMatchObject({ code: "invalid_request" });
      expect(error.message).toContain("timeoutMs");
    }
    for (const timeoutMs of [1_000, 2 ** 31, YEAR]) {
      const { session, client } = await world.conversation();
      const request = { type: "approval", timeoutMs };
      await client.say(session.id, `/call ask ${JSON.stringify({ request })}`);
      const { payload } = await client.event("interaction_request");
      expect(payload.timeoutMs).toBe(timeoutMs);
      const expiresAt = new Date(world.clock.now() + timeoutMs).toISOString();
      expect(payload.expiresAt).toBe(expiresAt);
    }
  },
);

const text = { id: "a", type: "text", label: "A" } as const;
const BAD: [what: string, request: object][] = [
  ["no type", {}],
  ["another type", { type: "confirm" }],
  ["a scope that there is not", { type: "approval", approvalScopes: ["forever"] }],
  ["no scope at all", { type: "approval", approvalScopes: [] }],
  ["an approval with a form", { type: "approval", inputSchema: VALUE_FORM }],
  ["a form without fields", { type: "input", inputSchema: { type: "form" } }],
  [
    "fields and sections",
    { type: "input", inputSchema: { ...VALUE_FORM, sections: [{ id: "s", fields: [] }] } },
  ],
  ["two fields of one id", { type: "input", inputSchema: formOf(text, text) }],
  ["a field of no type", { type: "input", inputSchema: formOf({ ...text, type: "x" as never }) }],
  ["a choice of nothing", { type: "input", inputSchema: formOf({ ...text, type: "select" }) }],
  [
    "a pattern that takes exponential time elsewhere",
    { type: "input", inputSchema: formOf({ ...text, pattern: "(a)\\1" }) },
  ],
  ["a link to a script", { type: "input", link: { url: "javascript:alert(1)" } }],
  ["a prompt that is too long", { type: "approval", prompt: "x".repeat(20_001) }],
  [
    "a question with one option",
    { type: "input", questions: [{ header: "h", question: "q", options: [{ label: "a" }] }] },
  ],
  [
    "a header of 13 characters",
    {
      type: "input",
      questions: [
        { header: "x".repeat(13), question: "q", options: [{ label: "a" }, { label: "b" }] },
      ],
    },
  ],
  [
    "51 fields",
    {
      type: "input",
      inputSchema: formOf(...Array.from({ length: 51 }, (_, n) => ({ ...text, id: `f${n}` }))),
    },
  ],
];

verifies(
  "ask:as-written",
  "what could not be shown or answered is refused before anybody is asked",
  { tools: [ask], latency: false },
  async (world) => {
    for (const [what, request] of BAD) {
      const error = await refusal(world, { request });
      expect(error, what).toMatchObject({ code: "invalid_request" });
    }
  },
);
