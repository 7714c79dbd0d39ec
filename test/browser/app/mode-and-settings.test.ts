import { expect, test } from "vitest";
import { shows } from "../../support/shows.ts";
import { browserTests } from "../support/index.ts";
import { flip, openSettings } from "../support/settings.ts";

const at = browserTests({ fresh: true });

shows(
  "page:mode-off",
  "interactive mode is in sight and explained; off, nothing can be answered and the server knows",
  async () => {
    const asked = await at.place.ask({ type: "approval", prompt: "Paint it?" });
    const window = await at.signIn({ path: `/#/s/${asked.sessionId}` });
    const { page } = window;
    const allow = page.getByRole("button", { name: "Allow once" });
    await allow.waitFor();
    const mode = page.getByRole("switch", { name: "Answering here" });
    expect(await mode.isChecked()).toBe(true);
    await mode.click();
    await page.getByText("Answering here is off.", { exact: true }).waitFor();
    await page.getByRole("main").getByText("agents do not count on you").waitFor();
    const card = page.locator("[data-beckon-card][data-state=read_only]");
    await card.getByText("Answering here is off: enable it to respond.").waitFor();
    await card.getByText("Paint it?", { exact: true }).waitFor();
    await expect.poll(() => allow.isEnabled().catch(() => false)).toBe(false);
    await window.noViolations();
    await page.goto("/#/inbox");
    await page.getByText("Paint it?").first().waitFor();
    await expect.poll(() => allow.isEnabled().catch(() => false)).toBe(false);
    // What wants somebody to be there finds nobody.
    const wanted = { type: "approval", prompt: "Anybody?", whenUnavailable: "throw" };
    const { id } = await at.place.session();
    await at.place.say(id, `/call stage_ask ${JSON.stringify({ request: wanted })}`);
    await expect
      .poll(async () => JSON.stringify(await at.place.events(id)))
      .toContain("Nobody is there to answer");

    // Nor is it mistaken for somebody at the moment in which it comes back.
    const hello = page
      .waitForEvent("websocket")
      .then((socket) => socket.waitForEvent("framesent"))
      .then(({ payload }) => JSON.parse(String(payload)));
    await page.reload();
    expect(await hello).toMatchObject({ type: "hello", interaction: { enabled: false } });
    expect(await mode.isChecked()).toBe(false);
    // What is chosen in one tab holds in the other.
    const tab = await window.tab("/#/inbox");
    await tab.getByRole("button", { name: "Answer here" }).click();
    await expect.poll(() => mode.isChecked()).toBe(true);
    await allow.click();
    await expect.poll(() => at.place.waiting(asked.sessionId)).toEqual([]);
  },
);

test("settings say who I am, how to end other sign-ins, what local trust means, and the version", async () => {
  const window = await at.signIn({ person: "Ada" });
  const { page } = window;
  await openSettings(page);
  await page.getByText("Signed in as Ada").waitFor();
  await page.getByText("beckon token revoke").waitFor();
  await page.getByText(/Local trust.*can read the owner’s token/).waitFor();
  const { version } = await at.place.get("/api/health");
  await page.getByText(`Beckon ${version}`, { exact: true }).waitFor();

  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.getByRole("button", { name: "Dark" }).click();
  const dark = await ground();
  expect(dark).not.toBe(light);
  await page.reload();
  await expect.poll(ground).toBe(dark);
  await page.emulateMedia({ colorScheme: "dark" });
  await openSettings(page);
  await page.getByRole("button", { name: "Light" }).click();
  expect(await ground()).toBe(light);
  await page.getByRole("button", { name: "System" }).click();
  expect(await ground()).toBe(dark);
  await flip(page, "Sound");
  await page.reload();
  await openSettings(page);
  expect(await page.getByRole("switch", { name: "Sound" }).isChecked()).toBe(true);
});
