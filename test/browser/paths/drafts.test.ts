import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { cardOf, cardsOf } from "../support/answering.ts";
import { browserTests } from "../support/index.ts";
import { PROMPTS } from "../support/prompts.ts";
import { holds, KINDS, send } from "./kinds.ts";

const at = browserTests();
const form = KINDS["form"]!;

test("a half-filled form and a half-written message survive a reload, another session and the inbox", async () => {
  const { page, id, other } = await atForm();
  await form.begin(page);
  await page.getByLabel("Password").fill("hunter2");
  await composer(page).fill("And then");
  await page.goto(`/#/s/${other}`);
  await page.getByText("A new conversation").waitFor();
  await holds(() => composer(page).inputValue(), "");
  await page.goto(`/#/s/${id}`);
  await form.seesBegun(page);
  await holds(() => composer(page).inputValue(), "And then");
  await page.goto("/#/inbox");
  await form.seesBegun(page);
  await page.reload();
  await form.seesBegun(page);
  await page.goto(`/#/s/${id}`);
  await form.seesBegun(page);
  expect(await page.getByLabel("Password").inputValue()).toBe("");
  expect(await kept(page)).not.toContain("hunter2");
  expect(await kept(page)).toContain("calmer");
});

test("a secret is never written down, also not when its send fails or it is asked again", async () => {
  const { id } = await at.place.session({ title: "Secrets" });
  const { page } = await at.signIn({ path: `/#/s/${id}` });
  await at.place.ask(PROMPTS.form.request, {
    sessionId: id,
    next: { reprompt: { ...PROMPTS.form.request, error: "That password is wrong." } },
  });
  await page.getByLabel("Host").fill("shop.example");
  await page.getByLabel("Password").fill("hunter2");
  expect(await kept(page)).not.toContain("hunter2");
  await page.getByRole("button", { name: "Deploy" }).click();
  await page.getByText("That password is wrong.", { exact: true }).waitFor();
  await holds(() => page.getByLabel("Host").inputValue(), "shop.example");
  expect(await page.getByLabel("Password").inputValue()).toBe("");
  expect(await kept(page)).not.toContain("hunter2");
});

test("what was begun is dropped when its prompt has ended, here or elsewhere", async () => {
  const { page, id } = await atForm();
  await form.begin(page);
  await holds(async () => (await kept(page)).includes("calmer"), true);
  const [prompt] = await at.place.waiting(id);
  await at.place.post(`/api/interactions/${prompt?.id}/respond`, { action: "cancel" });
  await page.getByText("Skipped on another device").first().waitFor();
  await page.goto("/#/inbox");
  await page.reload();
  await holds(async () => (await kept(page)).includes("calmer"), false);
});

test("a draft of a prompt that ended while nobody looked is dropped at the next visit", async () => {
  const { page, id } = await atForm();
  await form.begin(page);
  await holds(async () => (await kept(page)).includes("calmer"), true);
  await page.goto("about:blank");
  const [prompt] = await at.place.waiting(id);
  await at.place.post(`/api/interactions/${prompt?.id}/respond`, { action: "cancel" });
  await page.goto("/#/");
  await holds(async () => (await kept(page)).includes("calmer"), false);
});

test("who signs in next in the same browser finds nothing of what the last one wrote", async () => {
  const { page, id, window } = await atForm();
  window.allow(/401/);
  await form.begin(page);
  await composer(page).fill("Between me and the agent");
  await page.getByText("Connected").click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByText("Sign in to Beckon").waitFor();
  await signInAs(page, "Ada");
  await cardsOf(page).first().waitFor();
  await page.getByText("Ada").first().waitFor();
  expect(page.url()).toContain(id);
  expect(await page.getByLabel("Release notes").first().inputValue()).toBe("");
  expect(await composer(page).inputValue()).toBe("");
  // Nobody lost anything: it is there again for whom it belongs to.
  await page.getByText("Connected").click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await signInAs(page);
  await form.seesBegun(page);
  await holds(() => composer(page).inputValue(), "Between me and the agent");
});

test("who opens their own sign-in address in the same tab answers under their own name", async () => {
  const { page, id } = await atForm();
  await form.begin(page);
  await page.goto(`/#code=${await at.place.signInCode("Ada")}`);
  await page.getByText("Ada").first().waitFor();
  expect(page.url()).toContain(id);
  await holds(() => page.getByLabel("Release notes").first().inputValue(), "");
  await form.begin(page);
  await form.finish(page);
  await holds(() => cardOf(page).getAttribute("data-state"), "completed");
  const events = await at.place.events(id);
  const answer = events.find(({ type }) => type === "interaction_response");
  expect(answer?.payload).toMatchObject({ responder: { name: "Ada" } });
});

test("a message that is sent, and a form that is, leave nothing behind", async () => {
  const { page } = await atForm();
  await form.begin(page);
  await form.finish(page);
  await holds(() => cardOf(page).getAttribute("data-state"), "completed");
  await send(page, "thank you");
  await page.getByText("You wrote:").waitFor();
  await holds(async () => (await kept(page)).includes("beckon:draft"), false);
  await holds(async () => (await kept(page)).includes("thank you"), false);
});

async function atForm() {
  const [{ id }, { id: other }] = [await at.place.session(), await at.place.session()];
  const window = await at.signIn({ path: `/#/s/${id}` });
  await send(window.page, form.message);
  await cardsOf(window.page).first().waitFor();
  return { window, page: window.page, id, other };
}

async function signInAs(page: Page, person?: string): Promise<void> {
  await page.getByLabel(/paste the address/).fill(await at.place.signInCode(person));
  await page.getByRole("button", { name: "Sign in" }).click();
}

const composer = (page: Page) => page.getByRole("textbox", { name: "Message" });

async function kept(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
}
