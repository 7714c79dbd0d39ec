import { afterAll, beforeAll, expect, test } from "vitest";
import { BrowserHouse } from "./house.ts";

let house: BrowserHouse;
beforeAll(async () => {
  house = await BrowserHouse.open();
});
afterAll(() => house.close());

test("the printed address signs in, and its code is gone from the address and the history", async () => {
  const page = await house.stranger();
  const code = await house.code();
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/auth/exchange")) sent.push(page.url());
  });
  await page.goto(`${house.url}/#code=${code}`);
  await page.getByText("Agents ask, you answer").waitFor();
  expect(sent).toHaveLength(1);
  expect(page.url()).not.toContain(code);
  expect(await page.evaluate(() => history.length)).toBeLessThanOrEqual(2);
  const kept = await page.evaluate(() => JSON.stringify([localStorage, document.cookie]));
  expect(kept).not.toContain("bk_");
  await page.goBack();
  expect(page.url()).not.toContain(code);
  await page.context().close();
});

test("who is signed out is told what to do, and may paste an address or a token", async () => {
  for (const paste of [`${house.url}/#code=${await house.code()}`, house.token]) {
    const page = await house.stranger();
    await page.goto(house.url);
    await page.getByText("Run this in a terminal").waitFor();
    await page.getByLabel(/paste the address/).fill("nonsense");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("neither a fresh code").waitFor();
    await page.getByLabel(/paste the address/).fill(paste);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Agents ask, you answer").waitFor();
    await page.context().close();
  }
});

test("signing out leads back to the door, also after a reload", async () => {
  const page = await house.page();
  await page.getByText("Connected").click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByText("Sign in to Beckon").waitFor();
  await page.reload();
  await page.getByText("Sign in to Beckon").waitFor();
  await page.context().close();
});

test("nothing ran into the page's policy, threw, or asked another server", () => {
  expect(house.complaints).toEqual([]);
});
