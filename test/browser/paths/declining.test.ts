import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { cardOf, isNoLongerFresh } from "../support/answering.ts";
import { browserTests } from "../support/index.ts";

const at = browserTests({ fresh: true });

/** Every key that could press something, tried on what says no. */
const KEYS = ["Enter", "Control+Enter", "Escape", "Space"];

async function isThere(sessionId: string): Promise<boolean> {
  return (await at.place.server.http("GET", `/api/sessions/${sessionId}`)).status === 200;
}

/** Opens a dialog, presses a key on its declining control, and waits until the dialog has gone. */
async function declineBy(key: string, open: () => Promise<void>, dialog: Locator, no: string) {
  await open();
  await dialog.waitFor();
  await dialog.getByRole("button", { name: no, exact: true }).focus();
  await dialog.page().keyboard.press(key);
  // Not every browser lets a button hear the chord: then nothing happens, which is no yes either.
  if (key === "Control+Enter" && (await dialog.isVisible())) {
    await dialog.page().keyboard.press("Escape");
  }
  await dialog.waitFor({ state: "detached" });
}

test("no key on Keep it deletes a session", async () => {
  const { id } = await at.place.session({ title: "Precious" });
  const { page } = await at.signIn({ path: `/#/s/${id}` });
  const open = () => page.getByRole("button", { name: "Delete Precious" }).click();
  for (const key of KEYS) {
    await declineBy(key, open, page.getByRole("dialog"), "Keep it");
    expect(await isThere(id)).toBe(true);
  }
  // It begins at what does no harm: a key that is still held down deletes nothing.
  await page.getByRole("button", { name: "Delete Precious" }).focus();
  await page.keyboard.down("Enter");
  for (let times = 0; times < 6; times++) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  expect(await isThere(id)).toBe(true);
});

test("no key on Cancel starts a session", async () => {
  const { page } = await at.signIn();
  const count = async () => (await at.place.get("/api/sessions")).sessions.length;
  const before = await count();
  const open = () =>
    page
      .getByRole("button", { name: /New session with|options/i })
      .first()
      .click();
  for (const key of KEYS) await declineBy(key, open, page.getByRole("dialog"), "Cancel");
  expect(await count()).toBe(before);
});

test("no key in the larger window of a long answer sends the form", async () => {
  const field = { id: "why", type: "textarea", label: "Why" };
  const inputSchema = { type: "form", fields: [field] };
  const { id, sessionId } = await at.place.ask({ type: "input", inputSchema });
  const { page } = await at.signIn({ path: `/#/s/${sessionId}` });
  const card = cardOf(page);
  await isNoLongerFresh(card);
  const open = () => card.getByRole("button", { name: "Larger window for Why" }).click();
  const dialog = page.getByRole("dialog");
  for (const key of KEYS) {
    await declineBy(key, open, dialog, "Done");
    await open();
    await dialog.getByRole("textbox").fill(`Because of ${key}`);
    await page.keyboard.press(key === "Enter" || key === "Space" ? "Escape" : key);
    await dialog.waitFor({ state: "detached" });
    expect((await at.place.get(`/api/interactions/${id}`)).status).toBe("pending");
    expect(await card.getByRole("textbox").inputValue()).toBe(`Because of ${key}`);
  }
});

test("taking an edit back by any key allows nothing", async () => {
  const { id } = await at.place.session();
  const { page } = await at.signIn({ path: `/#/s/${id}` });
  await at.place.say(id, '/call bash {"command":"echo one"}');
  const card = cardOf(page);
  await card.getByRole("button", { name: "More", exact: true }).click();
  for (const key of ["Enter", "Control+Enter", "Space"]) {
    await card.getByRole("button", { name: "Edit the command" }).click();
    await card.getByRole("textbox").fill("echo two");
    await isNoLongerFresh(card);
    await card.getByRole("button", { name: "Use the original" }).focus();
    await page.keyboard.press(key);
    await card.getByRole("textbox").waitFor({ state: "detached" });
    expect((await at.place.waiting(id)).length).toBe(1);
  }
});

test("Revoke takes back by any key that presses it, and Escape on it takes nothing back", async () => {
  const { id } = await at.place.session();
  const window = await at.signIn({ path: `/#/s/${id}` });
  const { page } = window;
  const grants = async () => (await at.place.get("/api/grants")).grants.length;
  for (const key of ["Enter", "Space"]) {
    await page.goto(`/#/s/${id}`);
    await at.place.say(id, '/call bash {"command":"true"}');
    const card = cardOf(page).and(page.locator("[data-open]"));
    await card.getByRole("button", { name: "More", exact: true }).click();
    await card.getByRole("button", { name: "Allow for this session" }).click();
    await expect.poll(grants).toBe(1);
    await page.goto("/#/allowed");
    const revoke = page.getByRole("button", { name: "Revoke bash" });
    await revoke.focus();
    await page.keyboard.press("Escape");
    expect(await grants()).toBe(1);
    await revoke.focus();
    await page.keyboard.press(key);
    await page.getByText("Nothing is allowed in advance").waitFor();
    expect(await grants()).toBe(0);
  }
});
