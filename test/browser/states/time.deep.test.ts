import { expect, test } from "vitest";
import { cardsOf, textOf } from "../support/answering.ts";
import { browserTests } from "../support/index.ts";
import type { Window } from "../support/window.ts";

const at = browserTests();

const timerOf = ({ page }: Window) => cardsOf(page).first().getByRole("timer");

async function secondsLeft(window: Window): Promise<number> {
  return Number.parseInt(await textOf(timerOf(window)), 10);
}

test("the time left is the server's: a reload does not reset it, nor a wrong clock change it", async () => {
  const { id } = await at.place.session();
  const window = await at.signIn({ path: `/#/s/${id}` });
  await at.place.ask(
    { type: "input", prompt: "Still there?", timeoutMs: 100_000 },
    { sessionId: id },
  );
  await expect.poll(() => secondsLeft(window)).toBeLessThan(99);
  const before = await secondsLeft(window);
  await window.page.reload();
  await window.sees(timerOf(window));
  const after = await secondsLeft(window);
  expect(after).toBeLessThanOrEqual(before);
  expect(after).toBeGreaterThan(0);

  // Half an hour late.
  const late = await at.window();
  await late.page.addInitScript(`{
    const now = Date.now;
    Date.now = () => now() + 1_800_000;
  }`);
  await late.signIn();
  await late.open(`/#/s/${id}`);
  await late.sees(timerOf(late));
  await expect.poll(() => secondsLeft(late)).toBeGreaterThan(0);
  expect(await secondsLeft(late)).toBeLessThanOrEqual(before);
});
