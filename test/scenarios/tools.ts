import { demoAgent } from "../../src/agents/index.ts";
import {
  type AgentRuntime,
  defineTool,
  type HookOutcome,
  type InteractionRequestWithHooks,
  type ToolContext,
  type ToolDefinition,
} from "../../src/core/index.ts";
import type { Field, InputSchema, SessionRecord } from "../../src/protocol/index.ts";
import type { Client, EventOf } from "./client.ts";
import type { World } from "./world.ts";

/** The demo agent, but its turns end with their process, whatever the tools can do. */
export const mortalAgent: AgentRuntime = {
  ...demoAgent,
  id: "mortal",
  capabilities: { reenter: "none", steer: false },
};

/** A form with one required text field, `value`. */
export const VALUE_FORM = formOf({ id: "value", type: "text", label: "Value", required: true });

export function formOf(...fields: Field[]): InputSchema {
  return { type: "form", fields };
}

export function submit(value: string) {
  return { action: "submit", input: { value } };
}

/** A replayable tool that asks once and returns what its hooks make of the answer. */
export function askingTool<Args = Record<string, unknown>>(
  name: string,
  request: (args: Args, ctx: ToolContext) => InteractionRequestWithHooks,
  more: Partial<ToolDefinition> = {},
): ToolDefinition {
  return defineTool<Args>({
    name,
    description: `Asks for the test "${name}".`,
    parameters: { type: "object" },
    durable: "replay",
    handler: (args, ctx) => ctx.requestInteraction(request(args, ctx)),
    ...more,
  });
}

/** A hook that gives back the response as it came. */
export function echo(response: unknown): HookOutcome {
  return { complete: response };
}

/** Holds a hook of a tool until the test lets it go on. One gate serves one world at a time. */
export class Gate {
  open!: () => void;
  /** Resolves when somebody stands before the gate. */
  reached!: Promise<void>;
  #reach!: () => void;
  #opened!: Promise<void>;

  constructor() {
    this.reset();
  }

  /** To be called first in a scenario: the tools are shared by all modes. */
  reset(): void {
    this.#opened = new Promise((resolve) => (this.open = resolve));
    this.reached = new Promise((resolve) => (this.#reach = resolve));
  }

  async pass(): Promise<void> {
    this.#reach();
    await this.#opened;
  }
}

/** Kills the server while a hook stands before the gate; what it does after that is never stored. */
export async function crashBefore(gate: Gate, world: World): Promise<void> {
  await gate.reached;
  const crashing = world.crash();
  gate.open();
  // A stopping server waits a moment for running hooks, on the clock of the world.
  await world.advance(5_000);
  await crashing;
}

/** `t_ask`: asks for one approval and returns the action. */
export const approvalTool = askingTool("t_ask", () => ({
  type: "approval",
  onResponse: ({ action }) => ({ complete: action }),
}));

export const NAME_FORM = formOf({ id: "name", type: "text", label: "Name", required: true });

/** `t_name`: asks for a name, and again until it is long enough. */
export const nameTool = askingTool("t_name", () => ({
  type: "input",
  inputSchema: NAME_FORM,
  onResponse({ input }) {
    const given = String(input?.["name"]);
    return given.length > 2
      ? { complete: given }
      : { reprompt: { type: "input", inputSchema: NAME_FORM, error: "Too short" } };
  },
}));

export const INTERACTION_EVENTS = new Set([
  "interaction_pending",
  "interaction_request",
  "interaction_response",
  "interaction_closed",
]);

export const FOLLOW_UP = [
  "user_message late_answer",
  "turn_start late_answer",
  "text",
  "turn_end completed",
];

interface QueuedCall {
  session: SessionRecord;
  client: Client;
  request: EventOf<"interaction_request">;
  result: EventOf<"tool_result">;
}

/** A call whose prompt has become a queued one. */
export async function queuedCall(world: World, tool: string): Promise<QueuedCall> {
  const { session, client } = await world.conversation();
  await client.say(session.id, `/call ${tool} {}`);
  const request = await client.event("interaction_request");
  await world.advance(5_000);
  const result = await client.event("tool_result");
  await client.event("turn_end");
  return { session, client, request, result };
}
