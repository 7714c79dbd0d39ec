import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { cardOf, cardsOf } from "../support/answering.ts";
import { browserTests } from "../support/index.ts";
import type { Keyboard } from "../support/keyboard.ts";
import { PROMPTS } from "../support/prompts.ts";
import { holds, KINDS } from "./kinds.ts";

const at = browserTests();

/** A window at a new session, reached and filled without a mouse, and the card that came of it. */
async function ask(message: string) {
  const { id } = await at.place.session();
  const window = await at.signIn({ path: `/#/s/${id}` });
  const { page, keyboard } = window;
  await holds(async () => (await keyboard.focused()).name, "Message");
  await keyboard.type(message);
  await keyboard.press("Enter");
  await cardsOf(page).first().waitFor();
  await armed(page);
  // The message is sent, so nobody writes there: the card has the focus, and none of its buttons.
  await holds(() => cardOf(page).evaluate((card) => card === document.activeElement), true);
  return { id, page, keyboard };
}

test("without a mouse: sign in, start a session, write, and approve by its number", async () => {
  const window = await at.window();
  window.allow(/401/);
  const { page, keyboard } = window;
  await window.open("/");
  await window.sees("Sign in to Beckon");
  await keyboard.tabTo(/paste the address/);
  await keyboard.type(await at.place.signInCode());
  await keyboard.press("Enter");
  await window.sees("Agents ask, you answer");
  await keyboard.tabTo("New session");
  await keyboard.press("Space");
  await holds(async () => (await keyboard.focused()).name, "Message");
  await keyboard.type(KINDS["gate"]!.message);
  await keyboard.press("Enter");
  await armed(page);
  await inCard(page);
  await keyboard.press("1");
  expect(await keyboard.focused()).toEqual({ role: "button", name: "Allow once" });
  expect(await stateOf(page)).toBe("pending");
  await keyboard.press("Enter");
  await completed(page);
  await window.sees("it ran");
  // Nothing waits any more, so the next message can be written.
  await holds(async () => (await keyboard.focused()).name, "Message");
});

test("without a mouse: a choice, once its long input was read to the end", async () => {
  const { page, keyboard } = await ask(KINDS["choice"]!.message);
  await keyboard.tabTo("What will run");
  await keyboard.press("End");
  await holds(() => page.getByRole("button", { name: "The whole folder" }).isEnabled(), true);
  await keyboard.press("2");
  expect((await keyboard.focused()).name).toBe("The whole folder");
  await keyboard.press("Space");
  await completed(page);
});

test("without a mouse: deny with a reason, which Escape leaves and Enter does not send", async () => {
  const { id, page, keyboard } = await ask(KINDS["gate"]!.message);
  await unfold(page, keyboard);
  await keyboard.tabTo("Deny with a reason");
  await keyboard.press("Enter");
  await holds(async () => (await keyboard.focused()).name, REASON);
  await keyboard.type("Ask again");
  await keyboard.press("Enter");
  await keyboard.type("tomorrow 1");
  await keyboard.press("Escape");
  await inCard(page);
  expect(await stateOf(page)).toBe("pending");
  await keyboard.tabTo(REASON);
  await keyboard.press("Control+Enter");
  await completed(page);
  expect(await response(id)).toMatchObject({ action: "deny", reason: "Ask again\ntomorrow 1" });
});

test("without a mouse: edit the input, go back to the original, edit again and allow that", async () => {
  const { id, page, keyboard } = await ask(KINDS["gate"]!.message);
  await unfold(page, keyboard);
  await keyboard.tabTo("Edit the input");
  await keyboard.press("Enter");
  await holds(async () => (await keyboard.focused()).name, EDITED);
  await keyboard.press("Control+a");
  await keyboard.type("{");
  await keyboard.press("Control+Enter");
  expect(await stateOf(page)).toBe("pending");
  await keyboard.tabTo("Use the original");
  await keyboard.press("Enter");
  await inCard(page);
  if (!(await page.getByRole("button", { name: "Edit the input" }).isVisible())) {
    await unfold(page, keyboard);
  }
  await keyboard.tabTo("Edit the input");
  await keyboard.press("Enter");
  await holds(async () => (await keyboard.focused()).name, EDITED);
  await keyboard.press("Control+a");
  await keyboard.type('{"result":"something else"}');
  await armed(page);
  await keyboard.press("Control+Enter");
  await completed(page);
  expect(await response(id)).toMatchObject({
    action: "approve",
    updatedInput: { result: "something else" },
  });
});

const REASON = "Why not? What should it do instead? (optional)";
const EDITED = "Input (JSON): what stands here is what runs";

test("without a mouse: questions by number, several of them, and Escape answers nothing", async () => {
  const { id, page, keyboard } = await ask(KINDS["questions"]!.message);
  await cardOf(page).focus();
  await keyboard.press("2");
  await goOn(page, keyboard);
  await keyboard.press("1", "3");
  await keyboard.press("Escape");
  expect(await stateOf(page)).toBe("pending");
  await holds(() => page.locator("button[data-decision=submit]").isEnabled(), true);
  await keyboard.press("Control+Enter");
  await completed(page);
  expect(await response(id)).toMatchObject(KINDS["questions"]!.answer);
});

test("without a mouse: a form field by field, with the larger window and back", async () => {
  const { id, page, keyboard } = await ask(KINDS["form"]!.message);
  await keyboard.tabTo("Host");
  await keyboard.type("shop.example");
  await keyboard.press("Enter");
  await keyboard.tabTo("Larger window for Release notes");
  await keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await inDialog(page);
  await keyboard.tabTo("Release notes", 3);
  await keyboard.type("Long");
  await keyboard.press("Control+Enter");
  // A window that is closed but still drawn would not open again.
  await page.locator("dialog").waitFor({ state: "detached" });
  expect((await keyboard.focused()).name).toBe("Larger window for Release notes");
  await keyboard.press("Space");
  await inDialog(page);
  await keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  expect((await keyboard.focused()).name).toBe("Larger window for Release notes");
  expect(await stateOf(page)).toBe("pending");
  await keyboard.tabTo("Open to the public");
  await keyboard.press("Space");
  await keyboard.tabTo("Region");
  await keyboard.press("ArrowDown", "ArrowDown");
  await keyboard.press("Control+Enter");
  await completed(page);
  expect(await response(id)).toMatchObject({
    action: "submit",
    input: { host: "shop.example", notes: "Long", public: true, region: "us" },
  });
});

test("without a mouse: a required field that is empty gets the focus, and what is wrong is said", async () => {
  const { page, keyboard } = await ask(KINDS["form"]!.message);
  await keyboard.press("Control+Enter");
  await holds(async () => (await keyboard.focused()).name, "Host");
  expect(await stateOf(page)).toBe("pending");
  await keyboard.type("shop.example");
  await keyboard.press("Control+Enter");
  await completed(page);
});

test("without a mouse: the inbox, one after the other, and the focus is never lost", async () => {
  const window = await at.signIn();
  const { page, keyboard } = window;
  for (const prompt of ["First in line?", "Second in line?"]) {
    await at.place.ask({ ...PROMPTS.link.request, prompt });
  }
  await keyboard.tabTo(/^Inbox/);
  await keyboard.press("Enter");
  await window.sees(cardOf(page, "Second in line?"));
  for (const prompt of ["First in line?", "Second in line?"]) {
    const card = cardOf(page, prompt);
    for (let step = 0; step < 40 && !(await has(card)); step++) await keyboard.press("Tab");
    // A fresh card takes no answer for half a second, and Tab passes what cannot be pressed.
    await holds(() => card.getByRole("button", { name: "Done" }).isEnabled(), true);
    await keyboard.tabTo("Done");
    await keyboard.press("Space");
    await holds(() => card.getAttribute("data-state"), "completed");
    await focusIsSomewhere(page);
  }
});

/** Opens More, wherever in the card the focus is. */
async function unfold(page: Page, keyboard: Keyboard): Promise<void> {
  await cardOf(page).focus();
  await keyboard.tabTo("More");
  await keyboard.press("Enter");
}

async function has(card: ReturnType<typeof cardOf>): Promise<boolean> {
  return card.evaluate((element) => element.contains(document.activeElement));
}

/** Where questions are steps, the next one takes a key more. */
async function goOn(page: Page, keyboard: Keyboard): Promise<void> {
  const next = page.getByRole("button", { name: "Next" });
  if ((await next.count()) === 0) return;
  await keyboard.tabTo("Next");
  await keyboard.press("Enter");
}

async function isInCard(page: Page): Promise<boolean> {
  return page.evaluate(() => !!document.activeElement?.closest("[data-beckon-card]"));
}

async function inCard(page: Page): Promise<void> {
  await holds(() => isInCard(page), true);
}

async function inDialog(page: Page): Promise<void> {
  await holds(() => page.evaluate(() => !!document.activeElement?.closest("dialog")), true);
}

async function focusIsSomewhere(page: Page): Promise<void> {
  await holds(() => page.evaluate(() => document.activeElement !== document.body), true);
}

async function armed(page: Page): Promise<void> {
  const sends = page.locator("button[data-decision=approve], button[data-decision=submit]").first();
  await sends.waitFor();
  // A choice with a long input waits for its end to be read, questions for their answers.
  const waits = page.getByText("There is more below").or(page.getByText("answered")).first();
  await holds(async () => (await waits.isVisible()) || (await sends.isEnabled()), true);
  // Digits are heard only by a card that is no longer fresh.
  await cardOf(page).and(page.locator("[data-fresh]")).waitFor({ state: "detached" });
}

async function stateOf(page: Page): Promise<string | null> {
  return cardOf(page).getAttribute("data-state");
}

/** It is done, and whoever works without a mouse is still somewhere. */
async function completed(page: Page): Promise<void> {
  await holds(() => stateOf(page), "completed");
  await focusIsSomewhere(page);
}

async function response(sessionId: string) {
  const events = await at.place.events(sessionId);
  return events.flatMap((event) =>
    event.type === "interaction_response" ? [event.payload] : [],
  )[0];
}
