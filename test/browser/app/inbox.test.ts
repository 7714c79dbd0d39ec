import { expect, test } from "vitest";
import { browserTests } from "../support/index.ts";

const at = browserTests({ fresh: true });
const approval = (prompt: string) => ({ type: "approval", prompt });

test("what waits is grouped by session, answered in place, and stays there with what became of it", async () => {
  const one = await at.place.session({ title: "The shop" });
  const two = await at.place.session({ title: "The garden" });
  const paint = await at.place.ask(approval("Paint the door?"), { sessionId: one.id });
  const water = await at.place.ask(approval("Water the roses?"), { sessionId: two.id });
  const window = await at.signIn({ viewport: "phone", path: "/#/inbox" });
  const { page } = window;
  const shop = page.getByRole("group", { name: "The shop" });
  const garden = page.getByRole("group", { name: "The garden" });
  const card = (where: typeof shop) => where.locator("[data-beckon-card]");
  await card(shop).getByText("Paint the door?").first().waitFor();
  await page.getByRole("main").getByLabel("2 waiting for you").waitFor();

  await card(shop).getByRole("button", { name: "Allow once" }).click();
  await expect.poll(() => card(shop).getAttribute("data-state")).toMatch(/completed/);
  await page.getByRole("main").getByLabel("1 waiting for you").waitFor();
  await expect.poll(() => window.announcements().join("\n")).toContain("Allowed");

  // Answered on another device, it says what and by whom.
  await at.place.post(`/api/interactions/${water.id}/respond`, { action: "deny" });
  await card(garden)
    .getByText(/Denied.*by Owner/)
    .first()
    .waitFor();
  await window.sees("Nothing waits for you any more.");
  await expect.poll(() => card(shop).count()).toBe(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await window.noViolations();

  await shop.getByRole("button", { name: "Dismiss" }).click();
  await shop.waitFor({ state: "detached" });
  // A new one joins its group.
  const again = await at.place.ask(approval("And the lilies?"), { sessionId: two.id });
  await garden.getByText("And the lilies?").first().waitFor();
  await expect.poll(() => card(garden).count()).toBe(2);
  await garden.getByRole("link", { name: "Show in conversation" }).last().click();
  await page.waitForURL(`**/#/s/${two.id}/i/${again.id}`);
  await window.sees(page.getByRole("heading", { name: "The garden" }));
  // The inbox has a heading of that name too, and stays until the conversation can be drawn.
  await garden.waitFor({ state: "detached" });
  // Who comes back finds what waits, and nothing else.
  await page.goBack();
  await garden.getByText("And the lilies?").first().waitFor();
  await expect.poll(() => card(garden).count()).toBe(1);
  expect(paint.sessionId).toBe(one.id);
});

test("after an answer the focus goes on to the next prompt that waits, and not to its buttons", async () => {
  for (const name of ["First", "Second", "Third"]) await at.place.ask(approval(`${name}?`));
  const { page } = await at.signIn({ path: "/#/inbox" });
  const card = (name: string) => page.locator("[data-beckon-card]").filter({ hasText: `${name}?` });
  const hasFocus = async (name: string) => {
    const isFocused = () => card(name).evaluate((element) => element === document.activeElement);
    await expect.poll(isFocused).toBe(true);
  };
  await card("Second").getByRole("button", { name: "Deny", exact: true }).click();
  await hasFocus("Third");
  await card("Third").getByRole("button", { name: "Allow once" }).click();
  // Below it nothing waits any more.
  await hasFocus("First");
  await card("First").getByRole("button", { name: "Deny", exact: true }).click();
  await expect.poll(() => card("First").getAttribute("data-state")).toMatch(/completed/);
  await hasFocus("First");
});

test("an empty inbox says so, a re-prompt takes its place, and a deleted session leaves", async () => {
  const window = await at.signIn({ path: "/#/inbox" });
  const { page } = window;
  await window.sees("Nothing waits for you");
  const { sessionId } = await at.place.ask(approval("First try?"), {
    next: { reprompt: { ...approval("Second try?"), error: "Look again." } },
  });
  const cards = page.locator("[data-beckon-card]");
  await cards.getByRole("button", { name: "Allow once" }).click();
  await cards.getByText("Second try?").first().waitFor();
  await expect.poll(() => cards.count()).toBe(1);
  await cards.getByRole("button", { name: "Deny", exact: true }).click();
  await expect.poll(() => cards.getAttribute("data-state")).toMatch(/completed/);
  await at.place.server.http("DELETE", `/api/sessions/${sessionId}`);
  await cards.waitFor({ state: "detached" });
  await window.sees("When an agent asks, in any session");
});

test("what ended while the line was down is shown as it ended", async () => {
  const asked = await at.place.ask(approval("Still there?"));
  const window = await at.signIn({ path: "/#/inbox" });
  const card = window.page.locator("[data-beckon-card]");
  await card.waitFor();
  await window.goOffline();
  await at.place.post(`/api/interactions/${asked.id}/respond`, { action: "deny" });
  await window.goOnline();
  await card
    .getByText(/Denied.*by Owner/)
    .first()
    .waitFor();
});

test("a tool that fails after its answer says so on its card in the inbox", async () => {
  await at.place.ask(approval("Paint the door?"), {
    next: { fail: { code: "tool_error", message: "The paint is dry." } },
  });
  const { id } = await at.place.session();
  const window = await at.signIn({ path: "/#/inbox" });
  const { page } = window;
  const cards = page.locator("[data-beckon-card]");
  await cards.getByRole("button", { name: "Allow once" }).click();
  await window.sees(/Allowed once\. Then the tool failed: .*The paint is dry\./);
  expect(await cards.and(page.locator("[data-failed]")).count()).toBe(1);

  await at.place.say(id, '/call bash {"command":"exit 3"}');
  const command = cards.filter({ hasText: "exit 3" });
  await command.getByRole("button", { name: "Allow once" }).click();
  await window.sees(/Allowed once\. Then the tool failed: Exit code 3/);
  await window.noViolations();
});

test("a no in the inbox is nobody's failure", async () => {
  const { id } = await at.place.session();
  const { page } = await at.signIn({ path: "/#/inbox" });
  await at.place.say(id, '/call bash {"command":"echo one"}');
  const card = page.locator("[data-beckon-card]");
  await card.getByRole("button", { name: "Deny", exact: true }).click();
  await card.getByText("Denied by you").first().waitFor();
  await expect
    .poll(async () => (await at.place.events(id)).map(({ type }) => type))
    .toContain("turn_end");
  expect(await card.innerText()).not.toMatch(/failed/i);
});
