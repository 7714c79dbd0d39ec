import { expect, test } from "vitest";
import { browserTests } from "./support/index.ts";
import type { Window } from "./support/window.ts";

const at = browserTests();

/** The page around the cards; each state of a card is in `states/`. */
const STATES: Record<string, (window: Window) => Promise<void>> = {
  "the start": async (window) => window.sees("Agents ask, you answer"),
  "an empty session": async ({ page }) => {
    await page.goto(`/#/s/${(await at.place.session({ title: "Empty" })).id}`);
    await page.getByText("A new conversation").waitFor();
  },
  "a conversation that waits": async ({ page }) => {
    const { id } = await at.place.session({ title: "Tour" });
    await page.goto(`/#/s/${id}`);
    await at.place.say(id, "/tour");
    await page.getByText("Delete notes-draft.txt?").first().waitFor();
  },
  "the inbox": async ({ page }) => {
    await page.goto("/#/inbox");
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
  },
  "the settings": async ({ page }) => {
    await page.getByText("Connected").click();
    await page.getByRole("button", { name: "Sign out" }).waitFor();
  },
  "the drawer": async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole("button", { name: /^Sessions/ }).click();
    await page.getByRole("searchbox").waitFor();
  },
};

test("axe finds nothing at the door", async () => {
  const window = await at.window({ reducedMotion: true });
  window.allow(/401/);
  await window.open("/");
  await window.sees("Sign in to Beckon");
  await window.isAccessible();
});

test.each(Object.keys(STATES))("axe finds nothing in %s", async (name) => {
  const window = await at.signIn({ reducedMotion: true });
  await STATES[name]?.(window);
  await window.isAccessible();
});

test("nothing is wider than a narrow screen", async () => {
  const window = await at.signIn({ viewport: "small" });
  for (const name of ["the start", "an empty session", "a conversation that waits", "the inbox"]) {
    await STATES[name]?.(window);
    const width = await window.page.evaluate(() => document.documentElement.scrollWidth);
    expect([name, width]).toEqual([name, 360]);
  }
});
