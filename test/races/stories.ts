import * as fc from "fast-check";
import { expect, test } from "vitest";
import { checkLog } from "../scenarios/always-true.ts";
import { type Mode, World } from "../scenarios/world.ts";
import { byDepth } from "../support/depth.ts";
import { holds } from "./generated.ts";
import { join, stories } from "./story-commands.ts";
import { type Command, type Model, type Real, tool } from "./story-model.ts";

/*
 * Random stories of one person and two sessions, against a model that fits on a page. After every
 * step the server's list of open prompts must be the model's; at the end every log must hold its
 * invariants and what a client saw live must be what the log says.
 */

const STORIES = Number(process.env["BECKON_STORIES"] ?? byDepth({ quick: 3, usual: 10, deep: 20 }));

export function storiesIn(mode: Mode): void {
  test(`${STORIES} random stories agree with the model (${mode})`, async () => {
    await holds(
      fc.asyncProperty(stories, (story) => tellStory(mode, story)),
      STORIES,
      ([story]) => `The story: ${fc.stringify(story)}`,
    );
  }, 600_000);
}

async function tellStory(mode: Mode, story: Iterable<Command>): Promise<void> {
  await using world = await World.start({ mode, tools: [tool] });
  const sessions = [(await world.session()).id, (await world.session()).id];
  const real: Real = { world, sessions, client: undefined, seen: [] };
  const model: Model = {
    now: 0,
    open: new Map(),
    old: new Map(),
    connected: false,
    enabled: false,
    graceUntil: 0,
  };
  await join(model, real);
  await fc.asyncModelRun(() => ({ model, real }), story);
  for (const id of sessions) {
    const log = await world.log(id);
    checkLog(log);
    for (const client of real.seen) {
      const seen = client.events(id);
      expect(seen).toEqual(log.slice(0, seen.length));
    }
  }
}
