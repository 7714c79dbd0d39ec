import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { cardOf } from "../support/answering.ts";
import { browserTests } from "../support/index.ts";
import { endedOnce, holds, KINDS } from "./kinds.ts";

const at = browserTests();
const PROMPT = { type: "approval", prompt: "Shall the old lamp stay lit?" };
const LATER = Array.from({ length: 3_000 }, (_, count) => `Line ${count}`);

/** A session that asks, and the address of what it asks. */
async function asked() {
  const { id } = await at.place.session({ title: "Linked" });
  const prompt = await at.place.ask(PROMPT, { sessionId: id });
  return { id, promptId: prompt.id, link: `/#/s/${id}/i/${prompt.id}` };
}

test("a link opens its prompt, brings it into view and gives it the focus", async () => {
  const { id, link } = await asked();
  const { page } = await at.signIn({ path: link });
  await seesMarked(page);
  await page.getByRole("button", { name: "Allow once" }).click();
  await holds(() => cardOf(page).getAttribute("data-state"), "completed");
  // The link is followed anew only from somewhere else: the answer left the focus in the message.
  await page.goto("/#/");
  await page.getByText("Agents ask, you answer").waitFor();
  await page.goto(link);
  await seesMarked(page);
  await cardOf(page).getByText("Allowed").first().waitFor();
  expect(await at.place.waiting(id)).toEqual([]);
});

test("a link leads to a prompt thousands of events back, open and ended", async () => {
  const { id, promptId, link } = await asked();
  await at.place.write(id, LATER);
  const desk = await at.signIn({ path: link });
  await seesMarked(desk.page);
  expect(await cardOf(desk.page, PROMPT.prompt).count()).toBe(1);
  const phone = await at.signIn({ path: link, viewport: "phone" });
  await seesMarked(phone.page);
  await phone.page.getByRole("button", { name: "Allow once" }).click();
  await cardOf(phone.page, "Allowed").waitFor();
  await cardOf(desk.page, "Allowed once on another device by Owner").waitFor();
  expect(await desk.page.getByRole("button", { name: "Allow once" }).count()).toBe(0);
  const later = await at.signIn({ path: link });
  await later.sees(cardOf(later.page, "Allowed once on another device by Owner"));
  await seesMarked(later.page);
  expect(
    (await at.place.get(`/api/interactions/${promptId}`)).interaction?.status ?? "answered",
  ).toBe("answered");
});

test("a link to what is not there says so in a sentence", async () => {
  const { id, promptId, link } = await asked();
  const window = await at.signIn();
  window.allow(/404/);
  const { page } = window;
  await page.goto(`/#/s/${id}/i/no-such-prompt`);
  await page.getByText("This prompt is not in this session").waitFor();
  const { id: other } = await at.place.session();
  await page.goto(`/#/s/${other}/i/${promptId}`);
  await page.getByText("This prompt is not in this session").waitFor();
  await page.goto("/#/s/no-such-session/i/no-such-prompt");
  await page
    .getByText(/no such session|no session/i)
    .first()
    .waitFor();
  await at.place.server.http("DELETE", `/api/sessions/${id}`);
  await page.goto(link);
  await page
    .getByText(/session/i)
    .getByText(/delete|no such|no session/i)
    .first()
    .waitFor();
  await page.getByRole("link", { name: "To the start" }).click();
  await page.getByText("Agents ask, you answer").waitFor();
});

test("a link to a session that is deleted while it is read says so", async () => {
  const { id, link } = await asked();
  const { page } = await at.signIn({ path: link });
  await seesMarked(page);
  await at.place.server.http("DELETE", `/api/sessions/${id}`);
  await page.getByText("This session was deleted.").waitFor();
});

test("who is signed out signs in first, and then lands at the prompt", async () => {
  const { link } = await asked();
  const pasted = await at.window();
  pasted.allow(/401/);
  await pasted.open(link);
  await pasted.page.getByLabel(/paste the address/).fill(await at.place.signInCode());
  await pasted.page.getByRole("button", { name: "Sign in" }).click();
  await seesMarked(pasted.page);
  // Or by opening the address that `beckon open` prints, in the same tab.
  const opened = await at.window();
  opened.allow(/401/);
  await opened.open(link);
  await opened.sees("Sign in to Beckon");
  const code = await at.place.signInCode();
  await opened.page.goto(`/#code=${code}`);
  await seesMarked(opened.page);
  expect(opened.page.url()).not.toContain(code);
});

test("a link to a prompt of each kind is a place to answer it", async () => {
  const window = await at.signIn();
  for (const kind of [KINDS["questions"]!, KINDS["form"]!]) {
    const { id } = await at.place.session();
    await at.place.say(id, kind.message);
    await expect.poll(async () => (await at.place.waiting(id)).length).toBe(1);
    const [prompt] = await at.place.waiting(id);
    await window.open(`/#/s/${id}/i/${prompt?.id}`);
    await kind.begin(window.page);
    await kind.finish(window.page);
    await endedOnce(at.place, id, kind);
  }
});

/** In the window, and the focus is at it or in it, so that keys and screen readers begin there. */
async function seesMarked(page: Page): Promise<void> {
  const card = cardOf(page, PROMPT.prompt).or(cardOf(page, "Allow stage_ask"));
  await card.first().waitFor();
  await holds(
    () =>
      card.first().evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        const focus = document.activeElement;
        const inView = top < innerHeight && bottom > 0;
        const marked =
          focus !== document.body && (focus?.contains(element) || element.contains(focus));
        return { inView, marked: marked && focus?.tagName !== "MAIN" };
      }),
    { inView: true, marked: true },
  );
}
