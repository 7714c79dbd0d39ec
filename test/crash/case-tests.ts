import { afterAll, expect } from "vitest";
import { CrashWorld } from "./crash-world.ts";
import { type Case, runCase } from "./matrix.ts";

let world: CrashWorld | undefined;

afterAll(() => world?.close());

/** Fails with what was broken. The cases of one file share a data directory. */
export async function keepsEveryPromise(one: Case): Promise<void> {
  world ??= await CrashWorld.start();
  try {
    expect(await runCase(world, one), `${one.story}, ${one.times} × at ${one.point}`).toEqual([]);
  } catch (error) {
    // What is broken in one case must not fail the next.
    await world.close();
    world = undefined;
    throw error;
  }
}
