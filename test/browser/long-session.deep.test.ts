import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { browserTests } from "./support/index.ts";

const COUNT = 10_000;
const at = browserTests();
let sessionId: string;

beforeAll(async () => {
  sessionId = (await at.place.session({ title: "Long" })).id;
  // Of many heights, so that guesses about what has not been drawn are wrong.
  const text = (line: number) => `Line ${line}\n\n${"more words, ".repeat((line * 7) % 20)}`;
  await at.place.write(
    sessionId,
    Array.from({ length: COUNT }, (_none, index) => text(index + 1)),
  );
});

const region = (page: Page) => page.getByRole("region", { name: "Conversation" });
const fromEnd = (page: Page) =>
  region(page).evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight);
const line = (page: Page, number: number) => page.getByText(`Line ${number}`, { exact: true });

test("a session with 10,000 events opens at its end, with few of them in the page", async () => {
  const { page } = await at.signIn();
  const older: string[] = [];
  page.on("request", (request) => request.url().includes("before=") && older.push(request.url()));
  await page.goto(`/#/s/${sessionId}`);
  await line(page, COUNT).waitFor();
  await expect.poll(() => fromEnd(page)).toBeLessThan(5);
  expect(await line(page, COUNT).isVisible()).toBe(true);
  expect(await page.locator(".transcript-row").count()).toBeLessThan(60);
  // Nor has anything older been fetched that nobody asked for.
  expect(older).toEqual([]);
});

test("older events load above, and what is being read stays where it is", async () => {
  const { page } = await at.signIn({ path: `/#/s/${sessionId}` });
  // A paragraph of its own only once the text is formatted, which changes the height of rows.
  await line(page, COUNT - 1).waitFor();
  await expect.poll(() => fromEnd(page)).toBeLessThan(5);
  await region(page).hover();
  const seen = new Set<string>();
  for (let step = 0; step < 45; step++) {
    for (const text of await page.locator(".transcript-row").allInnerTexts()) {
      seen.add(/Line (\d+)/.exec(text)?.[1] ?? "");
    }
    await wheelUp(page, 900);
    const jump = await settledShift(page);
    expect(Math.abs(jump), `step ${step}`).toBeLessThan(4);
  }
  const numbers = [...seen]
    .filter(Boolean)
    .map(Number)
    .sort((a, b) => b - a);
  // Nothing was skipped on the way up.
  expect(numbers).toEqual(numbers.map((_none, index) => COUNT - index));
  expect(numbers.length).toBeGreaterThan(320);
});

test("who reads further up is left there when something new comes, and who is at the end follows", async () => {
  const { page } = await at.signIn({ path: `/#/s/${sessionId}` });
  await line(page, COUNT).waitFor();
  await expect.poll(() => fromEnd(page)).toBeLessThan(5);
  await region(page).hover();
  await page.mouse.wheel(0, -3_000);
  await expect.poll(() => fromEnd(page)).toBeGreaterThan(1_000);
  const before = await firstInSight(page);
  await at.place.say(sessionId, "news");
  await page.getByRole("button", { name: "To the end" }).waitFor();
  expect(await firstInSight(page)).toEqual(before);
  await page.getByRole("button", { name: "To the end" }).click();
  await page.getByText("Write /help for more.").last().waitFor();
  await expect.poll(() => fromEnd(page)).toBeLessThan(5);
  await at.place.say(sessionId, "more news");
  await page.getByText("more news").first().waitFor();
  await expect.poll(() => fromEnd(page)).toBeLessThan(5);
  await page.setViewportSize({ width: 600, height: 500 });
  await expect.poll(() => fromEnd(page)).toBeLessThan(5);
});

/** The first row in sight, and where. */
function firstInSight(page: Page): Promise<{ text: string; top: number }> {
  return page.evaluate(() => {
    const frame = document.querySelector('[aria-label="Conversation"]')!.getBoundingClientRect();
    const rows = [...document.querySelectorAll(".transcript-row")]
      .map((row) => ({ text: row.textContent ?? "", top: row.getBoundingClientRect().top }))
      .filter(({ top }) => top >= frame.top)
      .toSorted((a, b) => a.top - b.top);
    return { text: rows[0]?.text.slice(0, 20) ?? "", top: Math.round(rows[0]?.top ?? 0) };
  });
}

/** A busy page takes a wheel when it comes to it. */
async function wheelUp(page: Page, by: number): Promise<void> {
  const place = () => region(page).evaluate((one) => one.scrollTop);
  const before = await place();
  await page.mouse.wheel(0, -by);
  await expect.poll(place).not.toBe(before);
}

/** How far what is in sight moves by itself, once the wheel has come to rest. */
function settledShift(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const scroller = document.querySelector('[aria-label="Conversation"]')!;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let still = 0, last = -1; still < 3;) {
      await frame();
      still = scroller.scrollTop === last ? still + 1 : 0;
      last = scroller.scrollTop;
    }
    const middle = scroller.getBoundingClientRect().top + 200;
    const row = [...document.querySelectorAll(".transcript-row")].find((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return top <= middle && bottom >= middle;
    });
    const before = row?.getBoundingClientRect().top ?? 0;
    for (let count = 0; count < 6; count++) await frame();
    return row?.isConnected ? row.getBoundingClientRect().top - before : Number.NaN;
  });
}
