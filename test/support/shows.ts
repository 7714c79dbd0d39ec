import { test } from "vitest";
import type { RequirementId } from "../requirements.ts";

/**
 * A test of a card or of the page that shows one or more requirements; scenarios of the server use
 * `verifies`. The ids it cites are checked by the compiler; `requirements.test.ts` fails when one
 * is cited by nobody.
 */
export function shows(
  ids: RequirementId | RequirementId[],
  sentence: string,
  run: () => void | Promise<void>,
): void {
  test(`${sentence} [${[ids].flat().join(", ")}]`, run);
}
