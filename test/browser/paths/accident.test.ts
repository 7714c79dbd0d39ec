import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { cardOf, cardsOf, submit } from "../support/answering.ts";
import { browserTests } from "../support/index.ts";
import { PROMPTS } from "../support/prompts.ts";
import { holds, KINDS, send } from "./kinds.ts";

const at = browserTests();
const APPROVAL = { type: "approval", prompt: "Shall it fly?" };

async function chat() {
  const { id } = await at.place.session();
  const window = await at.signIn({ path: `/#/s/${id}` });
  await window.sees("A new conversation");
  return { id, window, page: window.page };
}

test("Enter and Space, pressed when a card appears or anywhere outside it, decide nothing", async () => {
  for (const request of [APPROVAL, PROMPTS.link.request, PROMPTS.form.request]) {
    const { id, page } = await chat();
    await composer(page).blur();
    await at.place.ask(request, { sessionId: id });
    await cardsOf(page).first().waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Space");
    await isArmed(page);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Space");
    await composer(page).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+Enter");
    await composer(page).blur();
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("BODY");
    for (const key of ["Enter", "Space", "1", "2", "Control+Enter", "Escape"]) {
      await page.keyboard.press(key);
    }
    await expectOpen(id, page);
  }
});

test("Enter in a field, and Escape anywhere, neither approve nor submit", async () => {
  const { id, page } = await chat();
  await send(page, KINDS["form"]!.message);
  await isArmed(page);
  for (const label of ["Host", "Copies", "Day", "Password"]) {
    await page.getByLabel(label).first().focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    expect(await focusIsInCard(page)).toBe(true);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Enter");
  }
  await page.getByLabel("Host").fill("shop.example");
  await page.keyboard.press("Enter");
  await expectOpen(id, page);
});

test("a click on a fresh card counts only when it denies", async () => {
  const { id, page } = await chat();
  await stopTime(page);
  await at.place.ask(APPROVAL, { sessionId: id });
  const approve = page.getByRole("button", { name: "Allow once" });
  await tickUntil(page, () => approve.isVisible());
  await clickAt(page, approve);
  await page.keyboard.press("Control+Enter");
  await expectOpen(id, page);
  await page.clock.runFor(600);
  expect(await approve.isEnabled()).toBe(true);
  await expectOpen(id, page);

  await at.place.ask(PROMPTS.link.request, { sessionId: (await secondSession(page)).id });
  const done = page.getByRole("button", { name: "Done" });
  await tickUntil(page, () => done.isVisible());
  await clickAt(page, done);
  await holds(() => cardOf(page).getAttribute("data-state"), "pending");
  await page.getByRole("button", { name: "Skip", exact: true }).click();
  await holds(() => cardOf(page).getAttribute("data-state"), "completed");

  const { id: third } = await secondSession(page);
  await at.place.ask(APPROVAL, { sessionId: third });
  const deny = page.getByRole("button", { name: "Deny", exact: true });
  await tickUntil(page, () => deny.isVisible());
  await clickAt(page, deny);
  await cardOf(page, "Denied").waitFor();
});

test("a click that was meant for a card which has just gone does not approve the one in its place", async () => {
  const { page } = await at.signIn({ path: "/#/inbox" });
  for (const prompt of ["First of two?", "Second of two?"]) {
    await at.place.ask({ ...APPROVAL, prompt });
  }
  const approve = (prompt: string) =>
    cardOf(page, prompt).getByRole("button", { name: "Allow once" });
  for (const prompt of ["First of two?", "Second of two?"]) {
    await isSeen(page, prompt);
  }
  await stopTime(page);
  await clickAt(page, approve("First of two?"));
  await tickUntil(page, async () => (await approve("First of two?").count()) === 0);
  await clickAt(page, approve("Second of two?"));
  await page.clock.runFor(50);
  expect(await approve("Second of two?").count()).toBe(1);
  expect((await at.place.waiting()).map(({ request }) => request.prompt)).toContain(
    "Second of two?",
  );
  await page.clock.runFor(600);
  await approve("Second of two?").click();
  await tickUntil(page, async () => (await approve("Second of two?").count()) === 0);
});

test("Enter held down decides once, and nothing that comes up meanwhile", async () => {
  const { page } = await at.signIn({ path: "/#/inbox" });
  const first = await at.place.ask({ ...APPROVAL, prompt: "Held one?" });
  const allow = (prompt: string) =>
    cardOf(page, prompt).getByRole("button", { name: "Allow once" });
  await isSeen(page, "Held one?");
  await cardOf(page, "Held one?").focus();
  await isArmed(page);
  await page.keyboard.press("1");
  await page.keyboard.down("Enter");
  await holds(() => allow("Held one?").count(), 0);
  const second = await at.place.ask({ ...APPROVAL, prompt: "Held two?" });
  await isSeen(page, "Held two?");
  for (let times = 0; times < 5; times++) await page.keyboard.down("Enter");
  const open = (await at.place.waiting()).map(({ id }) => id);
  expect(open).toContain(second.id);
  expect(open).not.toContain(first.id);
});

test("Enter that was held down before a card took the focus approves nothing in it", async () => {
  const { id, page } = await chat();
  await composer(page).blur();
  await page.keyboard.down("Control");
  await page.keyboard.down("Enter");
  await at.place.ask(APPROVAL, { sessionId: id });
  await isArmed(page);
  expect(await focusIsInCard(page)).toBe(true);
  for (let times = 0; times < 5; times++) await page.keyboard.down("Enter");
  await page.getByRole("button", { name: "Allow once" }).focus();
  for (let times = 0; times < 5; times++) await page.keyboard.down("Enter");
  await page.keyboard.up("Control");
  for (let times = 0; times < 5; times++) await page.keyboard.down("Enter");
  await expectOpen(id, page);
  await page.keyboard.up("Enter");
  await page.keyboard.press("Enter");
  await holds(() => cardOf(page).getAttribute("data-state"), "completed");
});

test("a double click approves, denies and submits once", async () => {
  for (const [request, name] of [
    [APPROVAL, "Allow once"],
    [APPROVAL, "Deny"],
    [PROMPTS.link.request, "Done"],
  ] as const) {
    const { id, page } = await chat();
    await at.place.ask(request, { sessionId: id });
    await isArmed(page);
    await page.getByRole("button", { name, exact: true }).dblclick();
    await holds(() => cardOf(page).getAttribute("data-state"), "completed");
    expect(await responses(id)).toBe(1);
  }
});

test("a card that comes up while somebody writes takes neither the focus nor a letter", async () => {
  const { id, page } = await chat();
  await composer(page).focus();
  await page.keyboard.type("one 1 ");
  await at.place.ask(APPROVAL, { sessionId: id });
  await cardsOf(page).first().waitFor();
  await page.keyboard.type("two 2 ");
  await isArmed(page);
  await page.keyboard.type("three 3");
  expect(await composer(page).inputValue()).toBe("one 1 two 2 three 3");
  await expectOpen(id, page);
  // The same for a field of another card: the newer one waits.
  const inputSchema = { ...PROMPTS.form.request.inputSchema, title: "Being filled in" };
  await at.place.ask({ ...PROMPTS.form.request, inputSchema });
  await page.goto("/#/inbox");
  const form = cardOf(page, "Being filled in");
  const host = form.getByLabel("Host");
  await host.focus();
  await page.keyboard.type("sho");
  await at.place.ask({ ...APPROVAL, prompt: "Now this?" });
  await cardOf(page, "Now this?").waitFor();
  await page.keyboard.type("p 1");
  expect(await host.inputValue()).toBe("shop 1");
  await submit(form);
});

test("words that were meant for a message, typed when a card has just taken the focus, go into the message", async () => {
  const { id, page } = await chat();
  await composer(page).focus();
  await at.place.ask(APPROVAL, { sessionId: id });
  await isArmed(page);
  expect(await focusIsInCard(page)).toBe(true);
  await page.keyboard.type("Stop that, please");
  expect(await composer(page).inputValue()).toBe("Stop that, please");
  // The chord that many send with sends the words, and does not allow what they are about.
  await page.keyboard.press("Control+Enter");
  await holds(() => composer(page).inputValue(), "");
  await expectOpen(id, page);
});

/** Looks at a card until it can be allowed: what is below the edge of the screen is not seen yet. */
async function isSeen(page: Page, prompt: string): Promise<void> {
  const card = cardOf(page, prompt);
  await holds(async () => {
    // Again and again, as what is above it and in it may still come.
    await card.evaluate((element) => element.scrollIntoView({ block: "end" }));
    return card.getByRole("button", { name: "Allow once" }).isEnabled();
  }, true);
}

async function secondSession(page: Page) {
  const session = await at.place.session();
  await page.goto(`/#/s/${session.id}`);
  return session;
}

const composer = (page: Page) => page.getByRole("textbox", { name: "Message" });

/** Whatever can be pressed by accident works by now, so that only the page's care stops it. */
async function isArmed(page: Page): Promise<void> {
  const button = page
    .locator("button[data-decision=approve], button[data-decision=submit]")
    .first();
  await holds(() => button.isEnabled(), true);
}

async function expectOpen(sessionId: string, page: Page): Promise<void> {
  const [open] = await at.place.waiting(sessionId);
  expect(open, `on screen: ${await page.locator("main").innerText()}`).toBeDefined();
  expect(await responses(sessionId)).toBe(0);
}

async function responses(sessionId: string): Promise<number> {
  const events = await at.place.events(sessionId);
  return events.filter(({ type }) => type === "interaction_response").length;
}

async function focusIsInCard(page: Page): Promise<boolean> {
  return page.evaluate(() => !!document.activeElement?.closest("[data-beckon-card]"));
}

/** From here on the page's time goes on only when it is told to. */
async function stopTime(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1_000);
}

/** Lets a little time pass, a frame at a time and far less than half a second, until it is so. */
async function tickUntil(page: Page, isSo: () => Promise<boolean>): Promise<void> {
  let frames = 0;
  await expect
    .poll(
      async () => {
        if (frames++ < 20) await page.clock.runFor(16);
        return isSo();
      },
      { interval: 50 },
    )
    .toBe(true);
}

/** Where it is, whether or not it may be clicked. */
async function clickAt(page: Page, target: ReturnType<Page["getByRole"]>): Promise<void> {
  await target.evaluate((element) => element.scrollIntoView({ block: "center" }));
  const box = await target.boundingBox();
  if (!box) throw new Error("There is nothing to click at.");
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}
