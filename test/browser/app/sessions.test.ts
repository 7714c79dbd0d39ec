import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { browserTests } from "../support/index.ts";

const at = browserTests({ fresh: true });

const list = (page: Page) => page.getByRole("navigation", { name: "Sessions" });
const row = (page: Page, title: string | RegExp) => list(page).getByRole("link", { name: title });

test("a session is started with one click, or with a folder, a title and an agent of one's choice", async () => {
  const { page } = await at.signIn();
  await list(page).getByText("No session yet").waitFor();
  await page.getByRole("button", { name: "New session", exact: true }).first().click();
  await page.waitForURL(/#\/s\//);
  await page.getByText("A new conversation").waitFor();

  await page.getByRole("button", { name: "New session with a choice" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New session" });
  await dialog.getByLabel("Folder").fill("/srv/shop");
  await dialog.getByLabel("Title").fill("The shop");
  await dialog.getByLabel("Agent").selectOption("demo");
  await dialog.getByRole("button", { name: "Start" }).click();
  await page.getByRole("heading", { name: "The shop" }).waitFor();
  await page.getByText("/srv/shop").first().waitFor();
  const { sessions } = await at.place.get("/api/sessions");
  expect(sessions[0]).toMatchObject({ title: "The shop", cwd: "/srv/shop", agent: "demo" });
  // The next time the folder is offered.
  await page.getByRole("button", { name: "New session with a choice" }).first().click();
  expect(await dialog.locator("option[value='/srv/shop']").count()).toBe(1);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
});

test("renaming and deleting show in another window, and deleting says what waits", async () => {
  const { sessionId } = await at.place.ask(
    { type: "approval", prompt: "Paint it?" },
    { sessionId: (await at.place.session({ title: "Old name" })).id },
  );
  const [one, two] = [
    await at.signIn({ path: `/#/s/${sessionId}` }),
    await at.signIn({ path: `/#/s/${sessionId}` }),
  ];
  await row(one.page, /Old name/).hover();
  await one.page.getByRole("button", { name: "Rename Old name" }).click();
  const field = one.page.getByRole("textbox", { name: "New title" });
  await field.fill("thrown away");
  await field.press("Escape");
  await row(one.page, /Old name/).waitFor();
  await expect.poll(async () => (await one.keyboard.focused()).name).toContain("Old name");
  await one.keyboard.press("F2");
  await field.fill("New name");
  await field.press("Enter");
  await row(two.page, /New name/).waitFor();
  await two.sees(two.page.getByRole("heading", { name: "New name" }));
  await two.sees(row(two.page, /1 waiting for you/));

  await one.page.getByRole("button", { name: "Delete New name" }).click();
  const dialog = one.page.getByRole("dialog");
  await dialog.getByText("1 prompt in it waits for an answer").waitFor();
  await dialog.getByRole("button", { name: "Keep it" }).click();
  await row(one.page, /New name/).waitFor();
  await one.page.getByRole("button", { name: "Delete New name" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await row(one.page, /New name/).waitFor({ state: "detached" });
  await one.sees("Agents ask, you answer");
  await two.sees("This session was deleted.");
  await row(two.page, /New name/).waitFor({ state: "detached" });
});

test("a rename that the server refuses is told, and the title stays", async () => {
  const { id } = await at.place.session({ title: "Kept" });
  const window = await at.signIn({ path: `/#/s/${id}` });
  window.allow(/503/);
  const { page } = window;
  await page.route("**/api/sessions/*", (route) =>
    route.request().method() === "PATCH"
      ? route.fulfill({ status: 503, json: { code: "store_unavailable", error: "No room." } })
      : route.fallback(),
  );
  await row(page, /Kept/).focus();
  await page.keyboard.press("F2");
  await page.getByRole("textbox", { name: "New title" }).fill("Other");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("No room.").waitFor();
  await row(page, /Kept/).waitFor();
});

test("of 500 sessions all can be found and reached by keyboard, and the list stays quick", async () => {
  const titles = Array.from({ length: 500 }, (_none, at) => `Job ${String(at).padStart(3, "0")}`);
  for (let from = 0; from < 500; from += 50) {
    await Promise.all(titles.slice(from, from + 50).map((title) => at.place.session({ title })));
  }
  const { page, keyboard } = await at.signIn();
  await page.keyboard.press("Control+k");
  expect((await keyboard.focused()).name).toBe("Search sessions");
  // The oldest are on the third page of the server's list.
  await keyboard.type("job 007");
  await row(page, /Job 007/).waitFor();
  await keyboard.press("ArrowDown", "Enter");
  await page.getByRole("heading", { name: "Job 007" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.press("Control+a");
  await keyboard.type("nothing is called so");
  await list(page).getByText("No session is called “nothing is called so”.").waitFor();
  await keyboard.press("Escape");
  await expect.poll(() => row(page, /Job/).count()).toBe(500);
  const took = await page.evaluate(async () => {
    document.querySelector<HTMLInputElement>("input[type=search]")!.focus();
    const began = performance.now();
    document.execCommand("insertText", false, "job 1");
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return performance.now() - began;
  });
  console.log(`filtering 500 sessions: ${took.toFixed(0)} ms`);
  expect(took).toBeLessThan(1_000);
  await expect.poll(() => row(page, /Job 1/).count()).toBe(100);
});

test("a further page of sessions that cannot be read says so, and is read when one tries again", async () => {
  await at.place.session({ title: "Near" });
  const window = await at.window();
  window.allow(/503/);
  const { page } = window;
  let refuse = true;
  await page.route("**/api/sessions?*", async (route) => {
    const cursor = new URL(route.request().url()).searchParams.get("cursor");
    if (cursor === "far" && refuse) {
      return route.fulfill({ status: 503, json: { code: "store_unavailable", error: "No room." } });
    }
    if (cursor !== "far") return route.fallback();
    const { sessions } = await at.place.get("/api/sessions");
    return route.fulfill({ json: { sessions: [{ ...sessions[0], id: "far", title: "Far" }] } });
  });
  await page.route("**/api/sessions", async (route) => {
    if (route.request().method() !== "GET") return route.fallback();
    const { sessions } = await at.place.get("/api/sessions");
    return route.fulfill({ json: { sessions, next: "far" } });
  });
  await window.signIn();
  await list(page).getByText("More sessions could not be read.").waitFor();
  refuse = false;
  await list(page).getByRole("button", { name: "Try again" }).click();
  await row(page, /Far/).waitFor();
  expect(await list(page).getByText("More sessions").count()).toBe(0);
});

test("who comes last is first in the list, and a list that cannot be read says so", async () => {
  const first = await at.place.session({ title: "First" });
  await at.place.session({ title: "Second" });
  const window = await at.window();
  window.allow(/500/);
  const { page } = window;
  let refuse = true;
  let refused = 0;
  await page.route("**/api/sessions", (route) => {
    if (!refuse || route.request().method() !== "GET") return route.fallback();
    refused++;
    return route.fulfill({ status: 500, json: { code: "internal", error: "Oh." } });
  });
  const code = await at.place.signInCode();
  await page.goto(`/#code=${code}`);
  // Once the line is up the list is read again by itself; after that only by whoever asks for it.
  await expect.poll(() => refused).toBeGreaterThanOrEqual(2);
  await list(page).getByText("The sessions could not be read.").waitFor();
  refuse = false;
  await list(page).getByRole("button", { name: "Try again" }).click();
  const titles = () => list(page).getByRole("link").allInnerTexts();
  await expect
    .poll(titles)
    .toEqual([expect.stringContaining("Second"), expect.stringContaining("First")]);
  await at.place.say(first.id, "hello");
  await expect
    .poll(titles)
    .toEqual([expect.stringContaining("First"), expect.stringContaining("Second")]);
});
