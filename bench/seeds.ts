import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./server-process.ts";

/**
 * What fills data directories for a checkout. Each checkout fills its own, with its own store: an
 * older one opens nothing that a newer one has written.
 */
export async function seedsOf(checkout: string = root) {
  const load = (file: string) => import(pathToFileURL(join(checkout, "bench", file)).href);
  const { seedLogs } = (await load("seed-log.ts")) as typeof import("./seed-log.ts");
  const { seedOpenPrompts } = (await load(
    "seed-open-prompts.ts",
  )) as typeof import("./seed-open-prompts.ts");
  return { seedLogs, seedOpenPrompts };
}
