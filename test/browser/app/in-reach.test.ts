import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { byDepth } from "../../support/depth.ts";
import { cardOf, isNoLongerFresh } from "../support/answering.ts";
import { browserTests } from "../support/index.ts";

const at = browserTests({ fresh: true });

const SIZES = [
  { width: 390, height: 844 },
  { width: 390, height: 664 },
  { width: 1280, height: 650 },
  { width: 1280, height: 860 },
];
const ONE_LINE = "npm test";
const THREE_LINES = "npm ci\nnpm run build\nnpm publish --access public --tag latest --provenance";
const EIGHTY_LINES = Array.from({ length: 80 }, (_, line) => `echo line ${line}`).join("\n");
const FEW = { "one line": ONE_LINE, "eighty lines": EIGHTY_LINES };
const ALL = { ...FEW, "three lines": THREE_LINES };
const COMMANDS = byDepth<Record<string, string>>({ quick: FEW, usual: FEW, deep: ALL });

/** Whether all of it is on the screen and a click in any corner of it would reach it. */
async function isInReach(button: Locator, inset = 4): Promise<boolean> {
  return button.evaluate((element, inset) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) return false;
    const points = [left + inset, right - inset].flatMap((x) =>
      [top + inset, bottom - inset].map((y) => [x, y] as const),
    );
    return points.every(([x, y]) => element.contains(document.elementFromPoint(x, y)));
  }, inset);
}

/** @param show brings the card into view where the page does not do so by itself */
async function bothInReach(page: Page, card: Locator, show = async () => {}): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await show();
    const where = `at ${size.width}×${size.height}`;
    for (const name of ["Deny", "Allow once", "More"]) {
      const button = card.getByRole("button", { name, exact: true });
      await expect.poll(() => isInReach(button), { message: `${name} ${where}` }).toBe(true);
    }
  }
}

for (const [length, command] of Object.entries(COMMANDS)) {
  test(`a no is in reach wherever a yes is, for a command of ${length}, in the conversation`, async () => {
    const { id } = await at.place.session();
    const { page } = await at.signIn({ viewport: "phone", path: `/#/s/${id}` });
    const composer = page.getByRole("textbox").first();
    await composer.fill(`/call bash ${JSON.stringify({ command })}`);
    await page.getByRole("button", { name: "Send message" }).click();
    await bothInReach(page, cardOf(page));
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("button", { name: "Always allow" }).waitFor();
    await bothInReach(page, cardOf(page));
  });
}

test("a no is in reach wherever a yes is, in an inbox of several", async () => {
  const { id } = await at.place.session();
  const { page } = await at.signIn({ viewport: "phone", path: "/#/inbox" });
  const calls = Object.values(COMMANDS).map((command) => `bash ${JSON.stringify({ command })}`);
  await at.place.say(id, `/parallel ${calls.join(" | ")}`);
  const cards = page.locator("[data-beckon-card=approval]");
  await expect.poll(() => cards.count()).toBe(calls.length);
  for (const card of await cards.all()) {
    await bothInReach(page, card, () =>
      card.evaluate((element) => element.scrollIntoView({ block: "start" })),
    );
  }
});

/** As in a browser whose text is set twice as large. */
const doubleText = (page: Page) =>
  page.evaluate(() => void (document.documentElement.style.fontSize = "200%"));

test("at twice the size of text a no is in reach wherever a yes is, and nothing covers a button", async () => {
  for (const [length, command] of Object.entries(COMMANDS)) {
    const { id } = await at.place.session({ title: "Large print" });
    const { page } = await at.signIn({ viewport: "phone", path: `/#/s/${id}` });
    await doubleText(page);
    const message = page.getByRole("textbox", { name: "Message" });
    await message.fill(`/call bash ${JSON.stringify({ command })}`);
    await page.getByRole("button", { name: "Send message" }).click();
    const named = (name: string) => cardOf(page).getByRole("button", { name, exact: true });
    const buttons = {
      no: named("Deny"),
      yes: named("Allow once"),
      more: named("More"),
      count: page.getByRole("button", { name: "1 waits for you" }),
      mode: page.getByRole("switch", { name: "Answering here" }),
    };
    for (const size of SIZES.slice(0, 2)) {
      await page.setViewportSize(size);
      for (const [name, button] of Object.entries(buttons)) {
        const what = `${name}, of ${length} at ${size.height}`;
        // Its corners are rounder, too.
        await expect.poll(() => isInReach(button, 8), { message: what }).toBe(true);
      }
    }
  }
});

test("a card of which only the top is in sight shows what it is about above its buttons", async () => {
  const { id } = await at.place.session();
  const { page } = await at.signIn({ viewport: "phone", path: "/#/inbox" });
  const command = EIGHTY_LINES;
  await at.place.say(id, `/call bash ${JSON.stringify({ command })}`);
  const card = cardOf(page, "line 0");
  const allow = card.getByRole("button", { name: "Allow once" });
  await allow.waitFor();
  const gap = await card.evaluate((element) => {
    const row = element.querySelector(".bk-row")!;
    const scroller = element.closest(".overflow-y-auto") as HTMLElement;
    const room = document.createElement("div");
    room.style.height = "3000px";
    scroller.firstElementChild!.prepend(room);
    scroller.scrollTop = 3_000 - scroller.clientHeight + 150;
    const [top, rowTop] = [element, row].map((one) => one.getBoundingClientRect().top);
    return rowTop! - top!;
  });
  expect(gap).toBeGreaterThanOrEqual(110);
});

test("in an inbox what the buttons would cover once they are live has not been seen", async () => {
  const { id } = await at.place.session();
  const { page } = await at.signIn({ viewport: "phone", path: "/#/inbox" });
  await page.setViewportSize({ width: 390, height: 664 });
  const call = (name: string) => `bash {"command":"npm install ${name}"}`;
  await at.place.say(id, `/parallel ${call("one")} | ${call("two")} | ${call("three")}`);
  const card = cardOf(page, "install two");
  const allow = card.getByRole("button", { name: "Allow once" });
  await card.getByText("There is more below").waitFor();
  await isNoLongerFresh(card);
  expect(await allow.isDisabled()).toBe(true);
  await card.evaluate((element) => element.scrollIntoView({ block: "start" }));
  await expect.poll(() => allow.isEnabled()).toBe(true);
});

test("what is below the buttons has not been seen, so it cannot be allowed yet", async () => {
  const { id } = await at.place.session();
  const { page } = await at.signIn({ viewport: "phone", path: `/#/s/${id}` });
  await page.setViewportSize({ width: 390, height: 664 });
  const command = EIGHTY_LINES;
  await at.place.say(id, `/call bash ${JSON.stringify({ command })}`);
  const card = cardOf(page);
  const allow = card.getByRole("button", { name: "Allow once" });
  await card.getByText("There is more below.").waitFor();
  expect(await allow.isEnabled()).toBe(false);
  expect(await card.getByRole("button", { name: "Deny", exact: true }).isEnabled()).toBe(true);
  await card.getByRole("button", { name: "Go to the end" }).click();
  await expect.poll(() => allow.isEnabled()).toBe(true);
});

test("an end that the buttons cover has not been seen, though its box is scrolled to it", async () => {
  const { id } = await at.place.session();
  const { page } = await at.signIn({ viewport: "phone", path: "/#/inbox" });
  await page.setViewportSize({ width: 390, height: 664 });
  const command = EIGHTY_LINES;
  await at.place.say(id, `/call bash ${JSON.stringify({ command })}`);
  const card = cardOf(page, "line 0");
  await card.getByText("There is more below.").waitFor();
  const covered = await card.evaluate((element) => {
    const scroller = element.closest(".overflow-y-auto") as HTMLElement;
    const room = document.createElement("div");
    room.style.height = "3000px";
    scroller.firstElementChild!.prepend(room);
    scroller.scrollTop = 3_000 - scroller.clientHeight + 250;
    const box = element.querySelector(".bk-input")!;
    box.scrollTop = box.scrollHeight;
    const row = element.querySelector(".bk-row")!;
    return box.getBoundingClientRect().bottom - row.getBoundingClientRect().top;
  });
  expect(covered).toBeGreaterThan(40);
  await isNoLongerFresh(card);
  const allow = card.getByRole("button", { name: "Allow once" });
  expect(await allow.isEnabled()).toBe(false);
  await card.getByRole("button", { name: "Go to the end" }).click();
  await expect.poll(() => allow.isEnabled()).toBe(true);
  const left = await card.evaluate((element) => {
    const [box, row] = [".bk-input", ".bk-row"].map((one) =>
      element.querySelector(one)!.getBoundingClientRect(),
    );
    return row!.top - box!.bottom;
  });
  expect(left).toBeGreaterThanOrEqual(-8);
});

test("an end that only the note about more below would cover can be allowed at once", async () => {
  const { id } = await at.place.session();
  const { page } = await at.signIn({ viewport: "phone", path: "/#/inbox" });
  await page.setViewportSize({ width: 390, height: 664 });
  const command = EIGHTY_LINES;
  await at.place.say(id, `/call bash ${JSON.stringify({ command })}`);
  const card = cardOf(page, "line 0");
  await card.getByText("There is more below.").waitFor();
  const covered = await card.evaluate((element) => {
    const scroller = element.closest(".overflow-y-auto") as HTMLElement;
    const room = document.createElement("div");
    room.style.height = "3000px";
    scroller.firstElementChild!.prepend(room);
    const [box, row, buttons] = [".bk-input", ".bk-row", ".bk-buttons"].map((one) =>
      element.querySelector(one)!,
    );
    const topOf = (one?: Element) => one!.getBoundingClientRect().top;
    const end = () => box!.getBoundingClientRect().bottom;
    const bottom = scroller.getBoundingClientRect().bottom;
    scroller.scrollTop += end() - (bottom - row!.clientHeight);
    scroller.scrollTop -= topOf(buttons) - topOf(row) - 20;
    box!.scrollTop = box!.scrollHeight;
    return { byRow: end() - topOf(row), byButtons: end() - topOf(buttons) };
  });
  expect(covered.byRow).toBeGreaterThan(8);
  expect(covered.byButtons).toBeLessThan(-12);
  const allow = card.getByRole("button", { name: "Allow once" });
  await expect.poll(() => allow.isEnabled()).toBe(true);
  const left = await card.evaluate((element) => {
    const [box, row] = [".bk-input", ".bk-row"].map((one) =>
      element.querySelector(one)!.getBoundingClientRect(),
    );
    return row!.top - box!.bottom;
  });
  expect(left).toBeGreaterThanOrEqual(-8);
});

test("the composer folds while a prompt waits, and unfolds for whoever writes", async () => {
  const { id } = await at.place.session();
  const { page } = await at.signIn({ viewport: "phone", path: `/#/s/${id}` });
  const foot = page.locator("footer.composer-foot");
  await foot.waitFor();
  const height = async () => (await foot.boundingBox())?.height ?? 0;
  const before = await height();
  await at.place.say(id, '/call bash {"command":"ls"}');
  await cardOf(page).waitFor();
  await expect.poll(height).toBeLessThan(Math.min(before, 70));
  await page.getByRole("textbox").first().fill("And then");
  await expect.poll(height).toBeGreaterThan(70);
});

test("on a small screen the composer folds also for whoever is in it and writes nothing", async () => {
  const { id } = await at.place.session();
  const { page } = await at.signIn({ viewport: "phone", path: `/#/s/${id}` });
  await page.setViewportSize({ width: 390, height: 664 });
  const foot = page.locator("footer.composer-foot");
  const message = page.getByRole("textbox", { name: "Message" });
  const height = async () => (await foot.boundingBox())?.height ?? 0;
  await message.focus();
  await at.place.say(id, `/call bash ${JSON.stringify({ command: THREE_LINES })}`);
  await cardOf(page).waitFor();
  await message.focus();
  await expect.poll(height, { timeout: 5_000 }).toBeLessThan(70);
  await message.pressSequentially("And");
  await expect.poll(height).toBeGreaterThan(70);
  for (const name of ["Deny", "Allow once", "More"]) {
    const button = cardOf(page).getByRole("button", { name, exact: true });
    await expect.poll(() => isInReach(button), { message: name }).toBe(true);
  }
  await message.fill("");
  await expect.poll(height).toBeLessThan(70);
});

test("the first press on More counts, and what it unfolds is on the screen", async () => {
  for (const size of SIZES) {
    const { id } = await at.place.session();
    const { page } = await at.signIn({ path: `/#/s/${id}` });
    await page.setViewportSize(size);
    const command = EIGHTY_LINES;
    const message = page.getByRole("textbox", { name: "Message" });
    await message.fill(`/call bash ${JSON.stringify({ command })}`);
    await message.press("Enter");
    const more = cardOf(page).getByRole("button", { name: "More", exact: true });
    await more.waitFor();
    await isNoLongerFresh(cardOf(page));
    await message.focus();
    await more.click();
    const where = `${size.width}×${size.height}`;
    expect([where, await more.getAttribute("aria-expanded")]).toEqual([where, "true"]);
    for (const name of ["Always allow", "Deny and stop", "Deny"]) {
      const button = cardOf(page).getByRole("button", { name, exact: true });
      await expect
        .poll(() => isInReach(button), { message: `${name} at ${where}`, timeout: 5_000 })
        .toBe(true);
    }
  }
});

test("what else a denial does is in reach wherever the denial is", async () => {
  const { id } = await at.place.session();
  const { page } = await at.signIn({ viewport: "phone", path: `/#/s/${id}` });
  await page.setViewportSize({ width: 390, height: 664 });
  await at.place.say(id, `/call bash ${JSON.stringify({ command: EIGHTY_LINES })}`);
  const card = cardOf(page);
  await card.getByRole("button", { name: "More", exact: true }).click();
  await card.getByRole("button", { name: "Deny with a reason" }).click();
  const within = {
    stop: card.getByRole("checkbox", { name: "Also stop the agent" }),
    send: card.getByRole("button", { name: "Deny and send the reason" }),
    back: card.getByRole("button", { name: "Back" }),
  };
  const field = card.getByRole("textbox");
  await expect.poll(() => isInReach(field), { message: "its field" }).toBe(true);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const [name, control] of Object.entries(within)) {
      const where = `${name} at ${size.width}×${size.height}`;
      await expect.poll(() => isInReach(control), { message: where }).toBe(true);
    }
  }
});

test("what stands below the composer folds with it in a small window that has a mouse", async () => {
  const { id } = await at.place.session();
  const { page } = await at.signIn({ path: `/#/s/${id}` });
  await page.setViewportSize({ width: 390, height: 664 });
  const more = page.locator(".composer-more");
  await more.waitFor();
  await at.place.say(id, '/call bash {"command":"ls"}');
  await cardOf(page).waitFor();
  await expect.poll(() => more.isVisible(), { timeout: 5_000 }).toBe(false);
});
