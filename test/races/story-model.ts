import type * as fc from "fast-check";
import { expect } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import type { Client } from "../scenarios/client.ts";
import type { World } from "../scenarios/world.ts";

const TIMEOUT_MS = 120_000;
export const GRACE_MS = 60_000;
/** How often to look at the server before its silence is a failure. */
const LOOKS = 1_000;

export const tool = defineTool({
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
export interface Model {
  now: number;
  /** The open prompt of each session, and ended ones that were re-prompted. */
  open: Map<number, Prompt>;
  old: Map<number, string>;
  connected: boolean;
  enabled: boolean;
  graceUntil: number;
}

export interface Real {
  world: World;
  sessions: string[];
  client: Client | undefined;
  seen: Client[];
}

export type Command = fc.AsyncCommand<Model, Real>;

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

export async function idle(real: Real, session: number): Promise<void> {
  for (let looks = 0; looks < LOOKS; looks++) {
    const { body } = await real.world.http("GET", `/api/sessions/${real.sessions[session]}`);
    if (body.status === "idle") return;
    await real.world.advance(0);
  }
  throw new Error(`Session ${session} does not end its turn.`);
}

async function compare(model: Model, real: Real): Promise<void> {
  const expected = new Map(
    [...model.open].map(([session, prompt]) => [real.sessions[session], prompt.id]),
  );
  expect(await listed(real)).toEqual(expected);
}

export async function newPrompt(
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

export function command(
  name: string,
  check: (model: Model) => boolean,
  run: Command["run"],
): Command {
  return {
    check: (model) => check(model),
    async run(model, real) {
      await run(model, real);
      await compare(model, real);
    },
    toString: () => name,
  };
}
