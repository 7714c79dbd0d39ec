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

/** The prompt of this id, or the only open one whose id begins so. */
export async function findPrompt(server: Connection, given: string): Promise<InteractionRecord> {
  try {
    return await server.get<InteractionRecord>(promptPath(given));
  } catch (error) {
    if (!(error instanceof TransportError) || error.status !== 404) throw error;
    if (given.length < SHORTEST) throw error;
    const found = (await openPrompts(server)).filter(({ id }) => id.startsWith(given));
    const [only, another] = found;
    if (!only) throw error;
    if (!another) return server.get<InteractionRecord>(promptPath(only.id));
    const sentence = `${found.length} prompts that wait begin with ${given}. Give more of the id.`;
    throw new CommandFailure(sentence);
  }
}
