import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Clone } from "../process/clone.ts";
import type { ExampleProcess } from "../process/example-process.ts";
import { cardOf, isNoLongerFresh, stateOf, submit, textOf } from "./support/answering.ts";
import { openWindow } from "./support/browser.ts";
import type { Window } from "./support/window.ts";

/* Each of these examples is run by the very command of its README, and answered in Chromium. */

let clone: Clone;
beforeEach(() => {
  clone = new Clone();
});
afterEach(() => clone.remove());

/** Runs the command of a page; a guide says the same one. */
function start(page: string, guide: string, variables: Record<string, string> = {}) {
  const [command] = clone.blocks(page);
  expect(clone.blocks(guide)).toContain(command);
  return clone.run(`exec ${command}`, { variables, keyboard: true });
}

/** A window at the page of the example, and the address that signs it in. */
async function openAt(example: ExampleProcess): Promise<{ window: Window; address: string }> {
  const address = await example.address();
  const { origin, hash } = new URL(address);
  const signInCode = async () => hash.slice("#code=".length);
  return { window: await openWindow({ url: origin, restarts: 0, signInCode }), address };
}

async function leave(window: Window, example: ExampleProcess): Promise<void> {
  const problems = window.problems();
  await window.close();
  expect(problems).toEqual([]);
  expect(await example.interrupt()).toBe(0);
}

test("examples/validation asks until the answer is right, and keeps what was written", async () => {
  const example = start("examples/validation/README.md", "docs/guide/forms-and-validation.md");
  const { window } = await openAt(example);
  await window.signIn();
  await window.open("/#/inbox");
  const card = cardOf(window.page, "Which service should be registered?");
  const field = (name: string) => card.getByLabel(name);
  await field("Name").fill("Billing");
  await field("Port").fill("80");
  await field("Who looks after it").fill("ops");
  await submit(card);
  await window.sees(card.getByText("This must be at least 1024."));
  expect(example.said).not.toContain("Somebody answered");

  await field("Name").fill("billing");
  await field("Port").fill("8081");
  await submit(card);
  await example.prints(/asks again: billing cannot be registered like this\.\n/);
  await window.sees(card.getByText("There is a service billing already."));
  await window.sees(card.getByText("8081 belongs to search."));
  await expect.poll(() => field("Who looks after it").inputValue()).toBe("ops");
  expect(await field("Name").inputValue()).toBe("billing");

  await field("Name").fill("shop");
  await field("Port").fill("8082");
  await isNoLongerFresh(card);
  await submit(card);
  await example.prints(/returned \{"registered":true,"name":"shop","port":8082,"owner":"ops"\}\n/);
  await example.prints(/Registered now: billing 8080, search 8081, shop 8082\n/);
  await leave(window, example);
});

test("examples/email-fallback writes an e-mail, and its link leads to the question", async () => {
  const example = start("examples/email-fallback/README.md", "docs/guide/late-answers.md", {
    WAIT_SECONDS: "1",
  });
  const { window } = await openAt(example);
  await example.prints(/pending: true,\s+queued: true/);
  const [, outbox = ""] = await example.prints(/There is an e-mail in (\S+)\n/);
  const [file = "", ...others] = readdirSync(outbox);
  expect(others).toEqual([]);
  const mail = readFileSync(join(outbox, file), "utf8");
  expect(mail).toMatch(/^To: you@example.com\n[^]*May I invite the customers/m);

  await window.signIn();
  await window.open(/http:\S+/.exec(mail)?.[0] ?? "");
  const card = cardOf(window.page, "May I invite the customers");
  await card.getByRole("textbox", { name: "Your answer" }).fill("Yes, but only ten.");
  expect(await stateOf(card)).toBe("queued");
  await isNoLongerFresh(card);
  await submit(card);
  await example.prints(/The agent got a message: Late answer to .*: Yes, but only ten\.\n/);
  await example.prints(/And says: Thank you, your answer has arrived/);
  await window.sees(/your answer has arrived/);
  await leave(window, example);
});

test("examples/react shows the cards in the page of a shop, in its colours", async () => {
  const example = start("examples/react/README.md", "docs/guide/embedding.md");
  const { window, address } = await openAt(example);
  const { page } = window;
  await page.goto(new URL(address).origin);
  await window.sees("You are not signed in.");
  window.allow(/401/);
  example.type("");
  await page.goto(await example.address());
  await window.sees("40 m of rope");
  const approval = cardOf(page, "Ship order 1042 to Porto?");
  const allow = approval.getByRole("button", { name: "Allow once" });
  await window.sees(allow);
  await isNoLongerFresh(approval);
  await window.isAccessible();
  await page.emulateMedia({ colorScheme: "light" });
  await expect
    .poll(() => allow.evaluate((button) => getComputedStyle(button).backgroundColor))
    .toBe("rgb(11, 85, 99)");
  await allow.click();
  await example.prints(/ship_order returned \{ shipped: 1042, to: 'Porto' \}\n/);

  const question = cardOf(page, "Who packs it?");
  await question.getByRole("combobox").selectOption("the early shift");
  await submit(question);
  await example.prints(/ask_user returned \{ ok: true, answer: 'the early shift' \}\n/);
  expect(new URL(page.url()).hash).toBe("");
  expect(await textOf(page.locator("h1"))).toBe("Harbour orders");
  await leave(window, example);
});
