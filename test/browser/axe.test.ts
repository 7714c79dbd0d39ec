import axeCore from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BrowserHouse } from "./house.ts";

let house: BrowserHouse;
beforeAll(async () => {
  house = await BrowserHouse.open();
});
afterAll(() => house.close());

/** What axe finds wrong, one line each. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axeCore.source);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: any[] }> } };
    const found = await axe.run();
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map((node: { html: string }) => `${id}: ${node.html.slice(0, 160)}`),
    );
  });
}

const STATES: Record<string, (page: Page) => Promise<void>> = {
  "the start": async (page) => page.getByText("Agents ask, you answer").waitFor(),
  "an empty session": async (page) => {
    await page.goto(`${house.url}/#/s/${await house.session("Empty")}`);
    await page.getByText("A new conversation").waitFor();
  },
  "a conversation that waits": async (page) => {
    const id = await house.session("Tour");
    await page.goto(`${house.url}/#/s/${id}`);
    await house.api(`/sessions/${id}/messages`, { content: "/tour" });
    await page.getByText("Delete notes-draft.txt?").first().waitFor();
  },
  "the inbox": async (page) => {
    await page.goto(`${house.url}/#/inbox`);
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
  },
  "the settings": async (page) => {
    await page.getByText("Connected").click();
    await page.getByRole("button", { name: "Sign out" }).waitFor();
  },
  "the drawer": async (page) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole("button", { name: /^Sessions/ }).click();
    await page.getByRole("searchbox").waitFor();
  },
};

describe.each(["light", "dark"] as const)("in %s", (colorScheme) => {
  test("axe finds nothing at the door", async () => {
    const page = await house.stranger({ colorScheme, reducedMotion: "reduce" });
    await page.goto(house.url);
    await page.getByText("Sign in to Beckon").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.context().close();
  });

  test.each(Object.keys(STATES))("axe finds nothing in %s", async (name) => {
    const page = await house.page("#/", { colorScheme, reducedMotion: "reduce" });
    await STATES[name]?.(page);
    expect(await violations(page)).toEqual([]);
    await page.context().close();
  });
});

test("nothing is wider than a narrow screen", async () => {
  const page = await house.page();
  await page.setViewportSize({ width: 360, height: 740 });
  for (const name of ["the start", "an empty session", "a conversation that waits", "the inbox"]) {
    await STATES[name]?.(page);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect([name, width]).toEqual([name, 360]);
  }
  await page.context().close();
});
