import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { ChatEvent } from "../../../src/protocol/index.ts";
import { cardOf, choose, chooseOther, optionOf, submit, turnTo } from "../support/answering.ts";
import type { Place } from "../support/place.ts";
import { PROMPTS } from "../support/prompts.ts";

/** A kind of prompt, and what a person does with it on the page. */
export interface Kind {
  /** Makes the demo agent ask. */
  message: string;
  /** Begins an answer; nothing where there is nothing to begin. */
  begin(page: Page): Promise<void>;
  /** Fails unless what was begun is still there. */
  seesBegun(page: Page): Promise<void>;
  /** Completes what was begun, and sends it. */
  finish(page: Page): Promise<void>;
  /** What the log has of the answer. */
  answer: Record<string, unknown>;
}

const asking = (request: object) => `/call stage_ask ${JSON.stringify({ request })}`;
const nothing = async () => {};

export const KINDS: Record<string, Kind> = {
  gate: {
    message: '/call stage_gated {"result":"it ran"}',
    async begin(page) {
      await more(page, "Deny with a reason");
      await reasonIn(page).fill("Not on a Friday");
    },
    seesBegun: (page) => holds(() => reasonIn(page).inputValue(), "Not on a Friday"),
    async finish(page) {
      // While a reason is open there is nothing to allow.
      const back = page.getByRole("button", { name: "Back" });
      if (await back.isVisible()) await back.click();
      await page.getByRole("button", { name: "Allow once" }).click();
    },
    answer: { action: "approve", approvalScope: "once" },
  },
  choice: {
    message: asking(PROMPTS.choice.request),
    begin: nothing,
    seesBegun: nothing,
    async finish(page) {
      // What would run is long here, and is to be seen before it is allowed.
      await page.getByRole("button", { name: "Go to the end" }).click();
      await page.getByRole("button", { name: "The whole folder" }).click();
    },
    answer: { action: "approve", optionId: "folder" },
  },
  questions: {
    message: asking(PROMPTS.questions.request),
    async begin(page) {
      await choose(cardOf(page), "PostgreSQL", "Tests");
    },
    async seesBegun(page) {
      for (const option of ["PostgreSQL", "Tests"]) {
        const tick = await turnTo(cardOf(page), optionOf(cardOf(page), option));
        await holds(() => tick.isChecked(), true);
      }
    },
    async finish(page) {
      await choose(cardOf(page), "Types");
      await submit(cardOf(page));
    },
    answer: {
      action: "submit",
      input: { answers: { "0": "PostgreSQL", "1": '["Tests","Types"]' } },
    },
  },
  "free answer": {
    message: asking({
      ...PROMPTS.questions.request,
      questions: PROMPTS.questions.request.questions.slice(0, 1),
    }),
    begin: (page) => chooseOther(cardOf(page), WHICH, "Maria"),
    seesBegun: (page) =>
      holds(() => page.getByRole("textbox", { name: `Other: ${WHICH}` }).inputValue(), "Maria"),
    async finish(page) {
      await chooseOther(cardOf(page), WHICH, "MariaDB");
      await submit(cardOf(page));
    },
    answer: { action: "submit", input: { answers: { "0": "MariaDB" } } },
  },
  form: {
    message: asking(PROMPTS.form.request),
    async begin(page) {
      await page.getByLabel("Release notes").first().fill("Faster,\nand calmer");
      await page.getByLabel("Region").selectOption("eu");
    },
    async seesBegun(page) {
      await holds(
        () => page.getByLabel("Release notes").first().inputValue(),
        "Faster,\nand calmer",
      );
      await holds(() => page.getByLabel("Region").inputValue(), "eu");
    },
    async finish(page) {
      await page.getByLabel("Host").fill("shop.example");
      await submit(cardOf(page));
    },
    answer: {
      action: "submit",
      input: { host: "shop.example", notes: "Faster,\nand calmer", copies: 2, region: "eu" },
    },
  },
  link: {
    message: asking(PROMPTS.link.request),
    begin: nothing,
    seesBegun: nothing,
    finish: (page) => submit(cardOf(page)),
    answer: { action: "submit" },
  },
};

const WHICH = PROMPTS.questions.request.questions[0].question;

/** Presses what stands under More. */
export async function more(page: Page, name: string): Promise<void> {
  const button = page.getByRole("button", { name });
  if (!(await button.isVisible())) {
    await page.getByRole("button", { name: "More", exact: true }).click();
  }
  await button.click();
}

export function reasonIn(page: Page) {
  return page.getByRole("textbox", { name: "Why not? What should it do instead? (optional)" });
}

/** Waits until it is so. */
export async function holds<Value>(read: () => Promise<Value>, value: Value): Promise<void> {
  await expect.poll(read).toEqual(value);
}

/** Waits for the end of the call; it must have been asked once, answered once, and gone well. */
export async function endedOnce(place: Place, sessionId: string, kind: Kind): Promise<void> {
  await expect.poll(async () => of(await place.events(sessionId), "turn_end").length).toBe(1);
  const events = await place.events(sessionId);
  expect(of(events, "interaction_request")).toHaveLength(1);
  expect(of(events, "interaction_response")).toHaveLength(1);
  expect(of(events, "interaction_response")[0]?.payload).toMatchObject(kind.answer);
  const results = of(events, "tool_result");
  expect(results).toHaveLength(1);
  expect(results[0]?.payload).toMatchObject({ ok: true });
}

function of<Type extends ChatEvent["type"]>(events: ChatEvent[], type: Type) {
  return events.filter((event): event is Extract<ChatEvent, { type: Type }> => event.type === type);
}

/** Writes to the agent, as a person does. */
export async function send(page: Page, message: string): Promise<void> {
  const composer = page.getByRole("textbox", { name: "Message" });
  await composer.fill(message);
  await composer.press("Enter");
}
