import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { browserTests } from "../support/index.ts";
import { hideOrShow, notes, stubAttention, tones } from "../support/attention.ts";
import { flip } from "../support/settings.ts";
import type { Window } from "../support/window.ts";

const at = browserTests({ fresh: true });

/** A signed-in window whose notifications, sounds and visibility are told and steered. */
async function listener(permission = "granted"): Promise<Window> {
  const window = await at.window();
  await stubAttention(window.page.context(), permission);
  return window.signIn();
}

const icon = (page: Page) =>
  page.evaluate(() => document.querySelector<HTMLLinkElement>('link[rel="icon"]')!.href);

test("title and icon count what waits, and stop when it is answered", async () => {
  const { page } = await at.signIn();
  await expect.poll(() => page.title()).toBe("Beckon");
  const { id } = await at.place.ask({ type: "approval", prompt: "One?" });
  await expect.poll(() => page.title()).toBe("(1) Beckon");
  await at.place.ask({ type: "approval", prompt: "Two?" });
  await expect.poll(() => page.title()).toBe("(2) Beckon");
  expect(decodeURIComponent(await icon(page))).toContain(">2</text>");
  await at.place.post(`/api/interactions/${id}/respond`, { action: "deny" });
  await expect.poll(() => page.title()).toBe("(1) Beckon");
  // A page that only watches is nobody to wait for.
  await page.getByRole("switch", { name: "Answering here" }).click();
  await expect.poll(() => page.title()).toBe("Beckon");
  expect(await icon(page)).toMatch(/\/icon\.svg$/);
});

test("nobody is called who did not ask for it, or who looks at the page", async () => {
  const { page } = await listener();
  await hideOrShow(page, true);
  await at.place.ask({ type: "approval", prompt: "Unwanted?" });
  await expect.poll(() => page.title()).toBe("(1) Beckon");
  await hideOrShow(page, false);
  await flip(page, "Notify me");
  await flip(page, "Sound");
  const before = await tones(page);
  await at.place.ask({ type: "approval", prompt: "In sight?" });
  await expect.poll(() => page.title()).toBe("(2) Beckon");
  expect([await notes(page), await tones(page)]).toEqual([[], before]);
});

test("a permission and a question read differently, a click opens the prompt, an answer withdraws it", async () => {
  const { page } = await listener();
  await flip(page, "Notify me");
  await flip(page, "Sound");
  const before = await tones(page);
  await hideOrShow(page, true);
  const approval = await at.place.ask({ type: "approval", prompt: "Paint the door?" });
  await expect
    .poll(() => notes(page))
    .toMatchObject([
      { title: "Allow stage_ask?", body: expect.stringContaining("Paint the door?"), open: true },
    ]);
  expect(await tones(page)).toBeGreaterThan(before);
  const question = await at.place.ask({
    type: "input",
    prompt: "Which colour?",
    inputSchema: { type: "form", fields: [{ id: "colour", type: "text", label: "Colour" }] },
  });
  await expect
    .poll(() => notes(page))
    .toMatchObject([
      { open: true },
      { title: "A question for you", body: expect.stringContaining("Which colour?") },
    ]);
  await at.place.post(`/api/interactions/${approval.id}/respond`, { action: "deny" });
  await expect.poll(() => notes(page)).toMatchObject([{ open: false }, { open: true }]);
  await page.evaluate(() => (window as any).__notes[1].click());
  await page.waitForURL(`**/#/s/${question.sessionId}/i/${question.id}`);
  await page.getByRole("textbox", { name: "Colour" }).waitFor();
});

test("of two tabs one calls, and none does while the other is looked at", async () => {
  const window = await listener();
  const { page } = window;
  await flip(page, "Notify me");
  const other = await window.tab("/#/inbox");
  await other.getByText("Nothing waits for you").waitFor();
  await hideOrShow(page, true);
  await at.place.ask({ type: "approval", prompt: "Seen there?" });
  await expect.poll(() => page.title()).toBe("(1) Beckon");
  await expect.poll(() => other.title()).toBe("(1) Beckon");
  await hideOrShow(other, true);
  await at.place.ask({ type: "approval", prompt: "Seen nowhere?" });
  const all = async () => [...(await notes(page)), ...(await notes(other))];
  await expect.poll(all).toMatchObject([{ body: expect.stringContaining("Seen nowhere?") }]);
  await at.place.ask({ type: "approval", prompt: "And then?" });
  await expect.poll(async () => (await all()).length).toBe(2);
  expect((await all()).filter(({ body }) => body.includes("Seen there?"))).toEqual([]);
  // One tab does all of it, until it is gone.
  expect(await notes(other)).toEqual([]);
  await page.close();
  const turns = () =>
    other.evaluate(async () => {
      const { held = [], pending = [] } = await navigator.locks.query();
      const calling = (locks: LockInfo[]) => locks.filter(({ name }) => name === "beckon:calls");
      return [calling(held).length, calling(pending).length];
    });
  await expect.poll(turns).toEqual([1, 0]);
  await at.place.ask({ type: "approval", prompt: "Who calls now?" });
  // A prompt of the other one's last moment may be told by both: its tag shows it once.
  const bodies = async () => (await notes(other)).map(({ body }) => body);
  await expect.poll(bodies).toContainEqual(expect.stringContaining("Who calls now?"));
});

test("many at once are one call for all of them", async () => {
  const { page } = await listener();
  await flip(page, "Notify me");
  await hideOrShow(page, true);
  const { id } = await at.place.session();
  const one = '{"request":{"type":"approval","prompt":"Go?"}}';
  await at.place.say(
    id,
    `/parallel ${Array.from({ length: 6 }, () => `stage_ask ${one}`).join("|")}`,
  );
  await expect.poll(() => page.title()).toBe("(6) Beckon");
  const open = async () => (await notes(page)).filter((one) => one.open);
  // Slow machines hear of them in parts; the first three may have one each.
  await expect.poll(open).toContainEqual({
    title: "6 prompts wait for you",
    body: "The latest: The agent says: Go?\nOpen the inbox to answer them.",
    open: true,
  });
  expect((await open()).length).toBeLessThanOrEqual(4);
});

test("a browser that does not allow notifications is explained, and the switch stays off", async () => {
  const { page } = await listener("denied");
  await flip(page, "Notify me");
  await page
    .getByRole("alert")
    .getByText(/Notifications are blocked in this browser's settings/)
    .waitFor();
  expect(await page.getByRole("switch", { name: "Notify me" }).isChecked()).toBe(false);
});
