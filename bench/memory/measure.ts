import type { Figures } from "../figures.ts";
import type { Sizes } from "../sizes.ts";
import { measureConnections } from "./connections.ts";
import { measurePrompts } from "./prompts.ts";

export async function measureMemory(sizes: Sizes): Promise<Figures> {
  return { ...(await measurePrompts(sizes)), ...(await measureConnections(sizes)) };
}
