import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readLog } from "./follow.js";
import { readLines, readLives } from "./lives.js";

/**
 * Reads what `judge` needs: the log and the records over HTTP, the rest from files.
 *
 * @param {import("./api.js").Api} api
 * @param {import("./place.js").Place} place
 * @param {{ sessionId: string, secrets: string[], wantedKills: number }} run
 * @returns {Promise<import("./report.js").Facts>}
 */
export async function gatherFacts(api, place, { sessionId, secrets, wantedKills }) {
  const events = await readLog(api, sessionId);
  const asked = events.filter(({ type }) => type === "interaction_request");
  const records = [];
  for (const { payload } of asked) {
    records.push((await api.request("GET", `/api/interactions/${payload.interactionId}`)).body);
  }
  const said = JSON.stringify([events, records]);
  const found = searchFiles(place.data, secrets);
  if (secrets.some((secret) => said.includes(secret))) found.foundIn.push("the log");
  return {
    events,
    records,
    effects: readLines(place.effects).map((line) => JSON.parse(line)),
    begun: readLines(place.begun),
    lives: readLives(place.lives),
    secrets: { searched: secrets.length, ...found },
    wantedKills,
  };
}

/**
 * Looks for secrets in every file of a directory: the database and what is not yet checkpointed, the
 * effects, and what the server wrote to its log.
 *
 * @param {string} directory
 * @param {string[]} secrets
 */
export function searchFiles(directory, secrets) {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const foundIn = files.filter((file) => {
    const path = join(file.parentPath, file.name);
    // The server is at work meanwhile: a file may be gone again.
    const content = existsSync(path) ? readFileSync(path) : "";
    return secrets.some((secret) => content.includes(secret));
  });
  return { files: files.length, foundIn: foundIn.map(({ name }) => name) };
}
