import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { ANSWER, cardsOf, stateOf, textOf } from "../support/answering.ts";
import { browserTests } from "../support/index.ts";
import { PROMPTS } from "../support/prompts.ts";

const at = browserTests();

/** The blocks of calls; a questionnaire has none. */
const blocksOf = (page: Page): Locator => page.locator("[data-status]");

/** What the blocks and cards of a page say, in order. */
const look = (page: Page) => page.locator("[data-status], [data-beckon-card]").allInnerTexts();

async function looksTheSameAfterReload(page: Page): Promise<void> {
  const before = await look(page);
  await page.reload();
  await expect.poll(() => look(page)).toEqual(before);
}

test("calls from outside of any turn are drawn like any other, live and after a reload", async () => {
  const { id } = await at.place.session({ title: "Outside" });
  const window = await at.signIn({ path: `/#/s/${id}` });
  const { page } = window;
  await window.sees("A new conversation");

  const approval = at.place.call(id, "stage/ask", { request: PROMPTS.approval.request });
  const block = blocksOf(page).first();
  await expect.poll(() => textOf(block)).toContain("Waiting for your answer");
  expect(await block.locator(cardsOf(page)).count(), "approvals in their block").toBe(1);
  expect(await page.getByText("The agent is at work").count(), "typing").toBe(0);
  await looksTheSameAfterReload(page);
  await ANSWER.approval(cardsOf(page).first());
  expect(await approval).toMatchObject({ ok: true, result: { action: "approve" } });
  await expect
    .poll(() => textOf(block))
    .toMatch(/Allowed \(for this session, if the tool remembers it\).*Result/s);

  const questions = at.place.call(id, "stage/ask", { request: PROMPTS.questions.request });
  await expect.poll(() => cardsOf(page).count()).toBe(2);
  expect(await blocksOf(page).count(), "no block for a questionnaire").toBe(1);
  await looksTheSameAfterReload(page);
  await ANSWER.questions(cardsOf(page).nth(1));
  await questions;
  await expect.poll(() => textOf(cardsOf(page).nth(1))).toContain("SQLite");
  expect(await blocksOf(page).count(), "nor for its result").toBe(1);

  const fragile = at.place.call(id, "stage/fragile", { request: PROMPTS.form.request });
  await expect.poll(() => cardsOf(page).count()).toBe(3);
  await at.place.call(id, "stage/break", { message: "The host is gone." });
  expect(await fragile).toMatchObject({
    ok: false,
    error: expect.stringContaining("host is gone"),
  });
  await expect.poll(() => stateOf(cardsOf(page).nth(2))).toBe("failed");
  expect(await page.getByRole("button", { name: "Deploy" }).count(), "nothing to press").toBe(0);
  await expect.poll(() => textOf(blocksOf(page).nth(1))).toContain("The host is gone.");
  await looksTheSameAfterReload(page);
});

test("calls that ask stand alone among calls of one turn that do not, and nobody types meanwhile", async () => {
  const { id } = await at.place.session({ title: "In parallel" });
  const window = await at.signIn({ path: `/#/s/${id}` });
  const { page } = window;
  const print = (word: string) => `stage_print ${JSON.stringify({ output: "", result: word })}`;
  const staged = (request: object) => `stage_ask ${JSON.stringify({ request })}`;
  const { approval, questions, choice } = PROMPTS;
  const calls = [print("one"), print("two"), staged(approval.request), print("three")];
  calls.push(staged(questions.request), staged(choice.request), print("four"), print("five"));
  await at.place.say(id, `/parallel ${calls.join(" | ")}`);
  await expect.poll(() => cardsOf(page).count()).toBe(3);
  await expect.poll(() => page.getByRole("button", { name: /tool calls/ }).count()).toBe(2);
  await window.sees("3 wait for you");
  expect(await page.getByText("The agent is at work").count(), "typing").toBe(0);
  const waiting = blocksOf(page).filter({ hasText: "Waiting for your answer" });
  expect(await waiting.count(), "the approvals").toBe(2);

  // The last first: each answer goes to its own call.
  await ANSWER.choice(cardsOf(page).nth(2));
  await expect.poll(() => stateOf(cardsOf(page).nth(2))).toBe("completed");
  await ANSWER.approval(cardsOf(page).nth(0));
  await expect.poll(() => stateOf(cardsOf(page).nth(0))).toBe("completed");
  expect(await stateOf(cardsOf(page).nth(1))).toBe("pending");
  expect(await page.getByText("The agent is at work").count(), "typing").toBe(0);
  await window.sees("1 waits for you");
  await ANSWER.questions(cardsOf(page).nth(1));
  await window.doesNotSee("1 waits for you");
  await window.sees("stage_ask returned:");

  const block = blocksOf(page).filter({ hasText: "This file" });
  const text = await block.innerText();
  expect(text.indexOf("Result"), text).toBeGreaterThan(text.indexOf("Allowed: This file"));
  expect(text).toContain('"optionId": "file"');
  await looksTheSameAfterReload(page);
});

test("the output of a tool keeps its lines", async () => {
  const { id } = await at.place.session({ title: "Lines" });
  const window = await at.signIn({ path: `/#/s/${id}` });
  await at.place.say(id, `/call stage_print ${JSON.stringify({ result: "one\ntwo\tthree" })}`);
  await window.page.getByRole("button", { name: /stage_print/ }).click();
  const result = window.page.getByRole("group", { name: "result", exact: true });
  await expect.poll(() => textOf(result)).toBe("one\ntwo\tthree");
});
