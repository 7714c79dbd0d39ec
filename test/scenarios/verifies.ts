import { test } from "vitest";
import { requirements, type RequirementId } from "../requirements.ts";
import { MODES, World, type WorldOptions } from "./world.ts";

/**
 * A scenario that shows one or more requirements, run in every mode. The ids it cites are checked
 * by the compiler; `requirements.test.ts` fails when one is cited by nobody.
 */
export function verifies(
  ids: RequirementId | RequirementId[],
  sentence: string,
  options: Omit<WorldOptions, "mode">,
  scenario: (world: World) => Promise<void>,
): void {
  const cited = [ids].flat();
  for (const id of cited) {
    if (!requirements[id]) throw new Error(`No requirement "${id}".`);
  }
  inEveryMode(sentence, options, scenario, ` [${cited.join(", ")}]`);
}

/** A scenario that shows a promise of our own, run in every mode. */
export function inEveryMode(
  sentence: string,
  options: Omit<WorldOptions, "mode">,
  scenario: (world: World) => Promise<void>,
  cites = "",
): void {
  for (const mode of MODES) {
    test(`${sentence} (${mode})${cites}`, async () => {
      await using world = await World.start({ ...options, mode });
      await scenario(world);
    });
  }
}
