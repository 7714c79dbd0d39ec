import { expect, test } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import { person } from "../scenarios/rig.ts";
import { byDepth } from "../support/depth.ts";
import { startEngine } from "./engine.ts";

const guarded = defineTool({
  name: "guarded",
  description: "Runs when somebody allows it.",
  parameters: { type: "object" },
  durable: "replay",
  approval: { key: () => "same", scopes: ["once", "session", "always"] },
  handler: () => "ran",
});

/**
 * Approves one of two equal prompts and denies the other one, in the same session or in another: so
 * many turns of the loop later, or, at the latest, when there is none left to deny. Tells what
 * became of the denial.
 */
async function race(scope: "session" | "always", seed: number, atMost = Infinity) {
  const engine = await startEngine({
    tools: [guarded],
    seed,
    alwaysOrphan: seed % 2 === 0,
    hooksAsk: true,
  });
  try {
    const session = async () => (await engine.core.createSession(person, {})).id;
    const one = await session();
    const other = scope === "always" ? await session() : one;
    const call = { toolName: "guarded", input: {}, origin: "http" as const };
    const ends = [one, other].map((sessionId) =>
      engine.core.callTool(person, { ...call, sessionId }),
    );
    const open = async () => (await engine.store.openInteractions({ limit: 9 })).rows;
    await expect.poll(async () => (await open()).length, { interval: 1 }).toBe(2);
    const [first, second] = (await open()).map(({ id }) => id) as [string, string];
    const respond = (interactionId: string, body: object) =>
      engine.core.respond(person, { interactionId, via: "direct", body: body as never });
    const granting = respond(first, { action: "approve", approvalScope: scope });
    let turns = 0;
    for (; turns < atMost && (await open()).length > 0; turns++) await new Promise(setImmediate);
    const denied = await respond(second, { action: "deny" }).then(
      () => "denied",
      (error: { code: string }) => error.code,
    );
    await granting;
    const oks = (await Promise.all(ends)).filter(({ ok }) => ok).length;
    expect([denied, oks]).toEqual(denied === "denied" ? ["denied", 1] : ["already_answered", 2]);
    const logs = [...new Set([one, other])].map((sessionId) =>
      engine.store.events({ sessionId, limit: 1_000 }),
    );
    const events = (await Promise.all(logs)).flat();
    const answers = events.filter(({ type }) => type === "interaction_response");
    expect(answers).toHaveLength(2);
    expect(await open()).toEqual([]);
    const calls = events.flatMap(({ type, payload }) =>
      type === "tool_result" ? [payload as { authorizedBy?: string }] : [],
    );
    const granted = calls.filter(({ authorizedBy }) => authorizedBy?.startsWith("grant:"));
    expect(granted).toHaveLength(oks - 1);
    return { denied, turns };
  } finally {
    await engine.close();
  }
}

const RACES = byDepth({ quick: 10, usual: 10, deep: 40 });

for (const scope of ["session", "always"] as const) {
  test(`${RACES} schedules of a grant for ${scope} and a denial of a prompt that it covers: each prompt ends once`, async () => {
    const seen = new Set<string>();
    for (let seed = 1; seed <= RACES; seed++) {
      // How long the grant takes is the engine's to say; the denials fall all over that time.
      const { turns } = await race(scope, seed);
      const { denied } = await race(scope, seed, Math.floor((turns * (seed % 10)) / 9));
      seen.add(denied);
    }
    expect(seen).toEqual(new Set(["denied", "already_answered"]));
  });
}
