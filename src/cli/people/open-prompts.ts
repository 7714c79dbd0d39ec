import type { InteractionRecord } from "../../protocol/index.ts";
import { CommandFailure } from "../failure.ts";
import { type Connection, Refused } from "../server/connection.ts";
import { promptPath } from "../server/paths.ts";

/** Everything that waits, oldest first. */
export async function openPrompts(server: Connection): Promise<InteractionRecord[]> {
  type Page = { interactions: InteractionRecord[]; next?: string };
  const all: InteractionRecord[] = [];
  let next: string | undefined;
  do {
    const query = new URLSearchParams({ status: "pending", ...(next ? { cursor: next } : {}) });
    const page = await server.get<Page>(`/api/interactions?${query.toString()}`);
    all.push(...page.interactions);
    next = page.next;
  } while (next !== undefined);
  return all;
}

/** So few characters of an id could be those of another that comes meanwhile. */
const SHORTEST = 4;

/** The prompt of this id, or the only open one whose id begins so. */
export async function findPrompt(server: Connection, given: string): Promise<InteractionRecord> {
  try {
    return await server.get<InteractionRecord>(promptPath(given));
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 404) throw error;
    if (given.length < SHORTEST) throw error;
    const found = (await openPrompts(server)).filter(({ id }) => id.startsWith(given));
    const [only, another] = found;
    if (!only) throw error;
    if (!another) return server.get<InteractionRecord>(promptPath(only.id));
    const sentence = `${found.length} prompts that wait begin with ${given}. Give more of the id.`;
    throw new CommandFailure(sentence);
  }
}
