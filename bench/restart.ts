import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { seedPrompts } from "../test/support/seed-prompts.ts";
import { compare, type Figure, withDirectory } from "./figures.ts";
import { serveArguments, withServer } from "./server-process.ts";

const TARGET_MS = 2_000;
const HOUR = 3_600_000;

/** A restart with many open prompts until it listens and until it takes an answer; bare: with one. */
export async function measureRestart(
  prompts: number,
  rounds: number,
): Promise<Record<string, Figure>> {
  const [many, one] = [await restarts(prompts, rounds), await restarts(1, rounds)];
  const listening = compare(many.listening, one.listening, TARGET_MS);
  const answered = compare(many.answered, one.answered, TARGET_MS);
  return {
    [`${prompts} open prompts: restart to listening (ms)`]: listening,
    [`${prompts} open prompts: restart to the first answer (ms)`]: answered,
  };
}

function restarts(count: number, rounds: number) {
  return withDirectory(async (dataDir) => {
    const messages = ['/call ask_user {"question":"Which one?"}'];
    // One more than is answered: each round takes one away.
    const total = count + rounds - 1;
    const expiresAt = () => Date.now() + HOUR;
    await seedPrompts({ dataDir, messages, count: total, expiresAt });
    const listening: number[] = [];
    const answered: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await withServer(serveArguments(dataDir), async ({ line, startMs, elapsedMs }) => {
        const token = (await readFile(join(dataDir, "token"), "utf8")).trim();
        await answerOldest(new URL((JSON.parse(line) as { url: string }).url).origin, token);
        listening.push(startMs);
        answered.push(elapsedMs());
      });
    }
    return { listening, answered };
  });
}

async function answerOldest(url: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const listed = await fetch(`${url}/api/interactions?limit=1`, { headers });
  const { interactions } = (await listed.json()) as { interactions: { id: string }[] };
  const body = JSON.stringify({ action: "submit", input: { answer: "this one" } });
  const reply = await fetch(`${url}/api/interactions/${interactions[0]?.id}/respond`, {
    method: "POST",
    headers,
    body,
  });
  if (!reply.ok) throw new Error(`The answer was refused: ${await reply.text()}`);
}
