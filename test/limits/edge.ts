import { LIMITS } from "../../src/protocol/index.ts";
import type { World } from "../scenarios/world.ts";

/** One limit at one entrance: what is let through up to it, and what comes back beyond it. */
export interface Edge {
  limit: keyof typeof LIMITS;
  /** Where and as what it is reached. */
  through: string;
  /** Brings exactly `count` of what is limited to the entrance and says what came back. */
  reach(world: World, count: number): Promise<string>;
  /** @default "accepted" */
  within?: string;
  beyond: string;
  /** The limit is the least, not the most. */
  least?: boolean;
}

/** Around an edge: how many, and what must come back. */
export function triesOf(edge: Edge): { count: number; expected: string }[] {
  const limit = LIMITS[edge.limit];
  return [limit - 1, limit, limit + 1].map((count) => {
    const isWithin = edge.least ? count >= limit : count <= limit;
    return { count, expected: isWithin ? (edge.within ?? "accepted") : edge.beyond };
  });
}
