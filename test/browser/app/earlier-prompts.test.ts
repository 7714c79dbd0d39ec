import { expect, test } from "vitest";
import { browserTests } from "../support/index.ts";

const at = browserTests({ fresh: true });
const EARLIER = /earlier in this conversation/;

test("a prompt that was asked 3,000 events ago is in sight, found by its link, and answered there", async () => {
  const { id } = await at.place.session({ title: "Long ago" });
  const asked = await at.place.ask({ type: "approval", prompt: "Ask of old?" }, { sessionId: id });
  await at.place.write(
    id,
    Array.from({ length: 3_000 }, (_none, index) => `Line ${index + 1}`),
  );
  const window = await at.signIn({ path: `/#/s/${id}` });
  const { page } = window;
  await page.getByText("Line 3000", { exact: true }).waitFor();
  const card = page.locator("[data-beckon-card]").filter({ hasText: "Ask of old?" });
  await card.waitFor();
  expect(await card.count()).toBe(1);
  const inSight = async () => {
    const box = await card.boundingBox();
    return box !== null && box.y >= 0 && box.y < 800;
  };
  await expect.poll(inSight).toBe(true);
  await window.noViolations();

  // By its link, also in a window that has not been here.
  const other = await at.signIn({ viewport: "phone", path: `/#/s/${id}/i/${asked.id}` });
  const there = other.page.locator("[data-beckon-card]").filter({ hasText: "Ask of old?" });
  await there.waitFor();
  expect(await other.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);

  await card.getByRole("button", { name: "Allow once" }).click();
  await expect.poll(() => at.place.waiting(id)).toEqual([]);
  // Who follows the link later finds what became of it.
  await there
    .getByText(/Allowed.*Owner/)
    .first()
    .waitFor();
  const late = await at.signIn({ path: `/#/s/${id}/i/${asked.id}` });
  await late.page
    .getByText(/Allowed.*Owner/)
    .first()
    .waitFor();
});

test("a link to a prompt that is loaded brings it into view, and a link to none says so", async () => {
  const { id } = await at.place.session({ title: "Linked" });
  const asked = await at.place.ask({ type: "approval", prompt: "Up there?" }, { sessionId: id });
  await at.place.write(
    id,
    Array.from({ length: 300 }, (_none, index) => `Line ${index + 1}`),
  );
  const { page } = await at.signIn({ path: `/#/s/${id}/i/${asked.id}` });
  const card = page.locator("[data-beckon-card]").filter({ hasText: "Up there?" });
  await card.waitFor();
  await expect.poll(async () => (await card.boundingBox())?.y ?? -1).toBeGreaterThan(0);
  expect(await page.getByText(EARLIER).count()).toBe(0);
  const window = await at.signIn();
  window.allow(/404/);
  await window.open(`/#/s/${id}/i/nothing-here`);
  await window.sees("This prompt is not in this session.");
});
