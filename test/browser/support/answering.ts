import type { Locator, Page } from "playwright-core";
import type { Kind } from "./prompts.ts";

/** Every prompt on the page, in whatever state, in the order in which they stand on it. */
export function cardsOf(page: Page): Locator {
  return page.locator("[data-beckon-card]");
}

/** The one prompt on the page, or the one that shows this. */
export function cardOf(page: Page, text?: string | RegExp): Locator {
  return text === undefined ? cardsOf(page) : cardsOf(page).filter({ hasText: text });
}

/**
 * How a card stands, as an assistive technology and a stylesheet are told; nothing where there is
 * none. Does not wait by itself, so that whoever asks again and again fails when its time is up.
 */
export async function stateOf(card: Locator): Promise<string | null> {
  return card.evaluateAll(([first]) => first?.getAttribute("data-state") ?? null);
}

/** What is to be read there; nothing where there is nothing. Does not wait, like `stateOf`. */
export async function textOf(place: Locator): Promise<string> {
  return (await place.allInnerTexts()).join("\n");
}

/**
 * Waits until a click counts, where nothing else about the card tells: a timer that is set later
 * and takes longer than that of the card comes after it.
 */
export async function isNoLongerFresh(card: Locator): Promise<void> {
  await card.evaluate(() => new Promise((resolve) => setTimeout(resolve, 600)));
}

/**
 * Ticks an option of a question by its name. Questions may stand below each other, or one at a time
 * with Next between them.
 */
export async function choose(card: Locator, ...options: string[]): Promise<void> {
  for (const name of options) await (await turnTo(card, optionOf(card, name))).check();
}

/** Ticks Other, and writes what stands beside it. */
export async function chooseOther(card: Locator, question: string, text: string): Promise<void> {
  const field = otherOf(card, question);
  if (!(await field.isVisible())) await choose(card, "Other");
  await field.fill(text);
}

function otherOf(card: Locator, question: string): Locator {
  return card.getByRole("textbox", { name: `Other: ${question}` });
}

export function optionOf(card: Locator, name: string): Locator {
  const exact = new RegExp(`^${name}\\b`);
  return card.getByRole("radio", { name: exact }).or(card.getByRole("checkbox", { name: exact }));
}

/** Goes on, or back, to the question that has it. */
export async function turnTo(card: Locator, wanted: Locator): Promise<Locator> {
  await card.getByRole("radio").or(card.getByRole("checkbox")).first().waitFor();
  for (const way of ["Next", "Back"]) {
    const button = card.getByRole("button", { name: way });
    for (let step = 0; step < 10; step++) {
      if ((await wanted.count()) > 0) return wanted.first();
      if ((await button.count()) === 0 || !(await button.isEnabled())) break;
      await button.click();
    }
  }
  return wanted.first();
}

/** Presses the button that sends the answer, going on to it where questions are steps. */
export async function submit(card: Locator): Promise<void> {
  // The button to press now looks like the one that sends, so it is told by its name.
  const button = card.locator("button[data-decision=submit]").filter({ hasNotText: /^Next$/ });
  for (let step = 0; step < 10 && (await button.count()) === 0; step++) {
    await card.getByRole("button", { name: "Next" }).click();
  }
  await button.click();
}

/** Reads what would run to its end, where it is longer than its box. */
async function readToTheEnd(card: Locator): Promise<void> {
  const box = card.getByRole("group", { name: "What will run" });
  await box.evaluate((element) => {
    element.scrollTo(0, element.scrollHeight);
    element.scrollIntoView({ block: "center" });
  });
  // Its going moves the buttons, which are not pressed while they move.
  await card.getByText("There is more below.").waitFor({ state: "detached" });
}

/** Answers the prompts of `prompts.ts` as a person would, with a mouse. */
export const ANSWER: Record<Kind, (card: Locator) => Promise<void>> = {
  approval: async (card) => {
    await readToTheEnd(card);
    await card.getByRole("button", { name: "More", exact: true }).click();
    await card.getByRole("button", { name: "Allow for this session" }).click();
  },
  choice: async (card) => {
    await readToTheEnd(card);
    await card.getByRole("button", { name: "This file" }).click();
  },
  questions: async (card) => {
    await choose(card, "SQLite", "Lint");
    await submit(card);
  },
  form: async (card) => {
    await card.getByLabel("Host").fill("shop.example");
    await submit(card);
  },
  link: submit,
};
