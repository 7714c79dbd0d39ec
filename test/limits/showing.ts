import { defineTool, type Prompt } from "../../src/core/index.ts";
import { jsonBytes } from "../../src/protocol/index.ts";
import { expect } from "vitest";
import { person } from "../scenarios/rig.ts";
import type { World } from "../scenarios/world.ts";
import { withLine } from "./entrances.ts";

/** What the tools below are to ask, by the `what` of their arguments. */
const wanted = new Map<string, Prompt>();
let made = 0;

const done = () => ({ complete: "done" });

/** `show_first`: asks what the test wants; `show_again`: asks something, then that. */
export const SHOWING_TOOLS = [
  defineTool<{ what: string }>({
    name: "show_first",
    description: "Asks what a test wants.",
    parameters: { type: "object" },
    durable: "replay",
    handler: ({ what }, ctx) =>
      ctx.requestInteraction({ ...(wanted.get(what) as Prompt), onResponse: done }),
  }),
  defineTool<{ what: string }>({
    name: "show_again",
    description: "Asks something, then again what a test wants.",
    parameters: { type: "object" },
    durable: "replay",
    handler: ({ what }, ctx) => {
      const again = wanted.get(what) as Prompt;
      return ctx.requestInteraction({
        type: again.type,
        onResponse: (_response, { attempt }) => (attempt === 1 ? { reprompt: again } : done()),
      });
    },
  }),
];

export const SHOWINGS = { "a prompt of a tool": "show_first", "a re-prompt": "show_again" };

/** Lets a tool ask this; says whether it was shown, or the code with which the call failed. */
export async function show(world: World, tool: string, prompt: Prompt): Promise<string> {
  const what = `w${++made}`;
  wanted.set(what, prompt);
  return withLine(world.direct({}), async (client) => {
    const { id: sessionId } = await world.session();
    await client.subscribe(sessionId);
    const call = { sessionId, toolName: tool, input: { what }, origin: "http" } as const;
    void world.node.core.callTool(person, call).catch(() => {});
    if (tool === "show_again") {
      const action = prompt.type === "approval" ? "approve" : "submit";
      await client.answer(await client.event("interaction_request"), { action });
    }
    const isLast = (event: any) =>
      event.type === "tool_result" ||
      (event.type === "interaction_request" &&
        event.payload.attempt === (tool === "show_again" ? 2 : 1));
    const { event } = await client.until((frame) => frame["event"] && isLast(frame["event"]));
    if (event.type === "tool_result") return event.payload.error.code;
    // Shown as it was given: nothing was cut.
    const { type: _type, timeoutMs: _timeout, key: _key, ...content } = prompt;
    expect(event.payload).toMatchObject(content);
    return "accepted";
  });
}

/** A prompt of exactly so many bytes. */
export function sizedPrompt(bytes: number): Prompt {
  const prompt = { type: "input", fieldErrors: { a: "", b: "" } } as const;
  const rest = bytes - jsonBytes(prompt);
  const half = Math.floor(rest / 2);
  return { ...prompt, fieldErrors: { a: "x".repeat(half), b: "x".repeat(rest - half) } };
}
