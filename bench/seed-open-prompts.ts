import { seedPrompts } from "../test/support/seed-prompts.ts";

const HOUR = 3_600_000;

/** Fills a data directory with turns that wait for an answer, each in a session of its own. */
export function seedOpenPrompts(
  dataDir: string,
  count: number,
  expiresAt: (index: number) => number = () => Date.now() + HOUR,
): Promise<void> {
  const messages = ['/call ask_user {"question":"Which one?"}'];
  return seedPrompts({ dataDir, messages, count, expiresAt });
}
