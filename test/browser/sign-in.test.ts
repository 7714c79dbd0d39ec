import { expect, test } from "vitest";
import { browserTests } from "./support/index.ts";

const at = browserTests();

test("the printed address signs in, and its code is gone from the address and the history", async () => {
  const { page } = await stranger();
  const code = await at.place.signInCode();
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/auth/exchange")) sent.push(page.url());
  });
  await page.goto(`/#code=${code}`);
  await page.getByText("Agents ask, you answer").waitFor();
  expect(sent).toHaveLength(1);
  expect(page.url()).not.toContain(code);
  expect(await page.evaluate(() => history.length)).toBeLessThanOrEqual(2);
  const kept = await page.evaluate(() => JSON.stringify([localStorage, document.cookie]));
  expect(kept).not.toContain("bk_");
  await page.goBack();
  expect(page.url()).not.toContain(code);
});

test("who is signed out is told what to do, and may paste an address or a token", async () => {
  for (const paste of [
    `${at.place.url}/#code=${await at.place.signInCode()}`,
    at.place.server.token,
  ]) {
    const { page } = await stranger();
    await page.goto("/");
    await page.getByText("Run this in a terminal").waitFor();
    await page.getByLabel(/paste the address/).fill("nonsense");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("neither a fresh code").waitFor();
    await page.getByLabel(/paste the address/).fill(paste);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Agents ask, you answer").waitFor();
  }
});

test("signing out leads back to the door, also after a reload", async () => {
  const window = await at.signIn();
  window.allow(/401/);
  const { page } = window;
  await page.getByText("Connected").click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByText("Sign in to Beckon").waitFor();
  await page.reload();
  await page.getByText("Sign in to Beckon").waitFor();
});

/** A window that nobody has signed in: the browser itself says that it was turned away. */
async function stranger() {
  const window = await at.window();
  window.allow(/40[14]|400/);
  return window;
}
