import type { InteractionRecord } from "../../protocol/index.ts";
import { CommandFailure } from "../failure.ts";
import { TransportError } from "../../transport/index.ts";
import type { Connection } from "../server/connection.ts";
import { promptPath } from "../server/paths.ts";

/** Everything that waits, oldest first. */
export function openPrompts(server: Connection): Promise<InteractionRecord[]> {
  return server.all("/api/interactions?status=pending", "interactions");
}

/** So few characters of an id could be those of another that comes meanwhile. */
const SHORTEST = 4;

/** The prompt of this id, or the only one whose id begins so; an open one before those that ended. */
export async function findPrompt(server: Connection, given: string): Promise<InteractionRecord> {
  try {
    return await server.get<InteractionRecord>(promptPath(given));
  } catch (error) {
    if (!(error instanceof TransportError) || error.status !== 404) throw error;
    if (given.length < SHORTEST) throw error;
    const path = `/api/interactions?begins=${encodeURIComponent(given)}`;
    const all = await server.all<InteractionRecord>(path, "interactions");
    // A server that is older lists what waits, whatever its id.
    const named = all.filter(({ id }) => id.startsWith(given));
    const open = named.filter(({ status }) => status === "pending");
    const found = open.length > 0 ? open : named;
    const [only, another] = found;
    if (!only) throw error;
    if (!another) return server.get<InteractionRecord>(promptPath(only.id));
    const which = open.length > 0 ? "prompts that wait" : "prompts";
    throw new CommandFailure(`${found.length} ${which} begin with ${given}. Give more of the id.`);
  }
}
