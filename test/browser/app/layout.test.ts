import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { browserTests } from "../support/index.ts";
import { openSettings } from "../support/settings.ts";

const at = browserTests({ fresh: true });

const LONG = "Averyveryverylongtitlewithoutanyspaceinitsothatnothingcanbreak".repeat(3);

/** Many sessions with long titles, prompts in them, and a conversation with wide things in it. */
async function furnish() {
  const { id } = await at.place.session({ title: LONG, cwd: `/srv/${LONG.toLowerCase()}` });
  await at.place.say(id, `| a | b |\n| - | - |\n| ${LONG} | ${LONG} |\n\n\`\`\`\n${LONG}\n\`\`\``);
  await at.place.say(
    id,
    `/call stage_print ${JSON.stringify({ path: LONG, result: { [LONG]: LONG } })}`,
  );
  for (let count = 0; count < 3; count++) {
    await at.place.ask(
      { type: "approval", prompt: `${LONG}?` },
      { sessionId: (await at.place.session({ title: `${count} ${LONG}` })).id },
    );
  }
  await at.place.ask({ type: "approval", prompt: "And here?" }, { sessionId: id });
  return id;
}

const widths = (page: Page) =>
  page.evaluate(() => [document.documentElement.scrollWidth, innerWidth] as const);

async function opensDrawer(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Sessions/ }).click();
  await page.getByRole("searchbox").waitFor();
}

test("nothing is wider than the screen at 360 px, nor at 200 % of a small window, with long names", async () => {
  const id = await furnish();
  for (const size of [
    { width: 360, height: 740 },
    // A window of 1280 px at 200 % is 640 px wide, and at 400 % 320.
    { width: 640, height: 400 },
    { width: 320, height: 256 },
  ]) {
    const window = await at.signIn({ viewport: "small", reducedMotion: true });
    const { page } = window;
    await page.setViewportSize(size);
    const places: Record<string, () => Promise<void>> = {
      start: () => window.sees("Agents ask, you answer"),
      inbox: async () => {
        await page.goto("/#/inbox");
        await page.locator("[data-beckon-card]").first().waitFor();
      },
      conversation: async () => {
        await page.goto(`/#/s/${id}`);
        await page.locator("[data-beckon-card]").first().waitFor();
      },
      drawer: () => opensDrawer(page),
      settings: () => openSettings(page),
    };
    for (const [name, go] of Object.entries(places)) {
      await go();
      const [content, screen] = await widths(page);
      expect(`${name} at ${size.width}: ${content}`).toBe(`${name} at ${size.width}: ${screen}`);
    }
    // At any size the last of the settings can be reached.
    const out = page.getByRole("button", { name: "Sign out" });
    await out.scrollIntoViewIfNeeded();
    const box = await out.boundingBox();
    expect(box && box.y + box.height <= size.height, JSON.stringify(box)).toBe(true);
    await window.close();
  }
});

test("only lists scroll, never the page itself, whatever hidden labels stand far down in them", async () => {
  const { id } = await at.place.session({ title: "Many questions" });
  const calls = Array.from({ length: 8 }, (_, n) => `ask_user {"question":"Question ${n}?"}`);
  await at.place.say(id, `/parallel ${calls.join(" | ")}`);
  const { page } = await at.signIn();
  for (const size of [
    { width: 1280, height: 650 },
    { width: 390, height: 664 },
  ]) {
    await page.setViewportSize(size);
    for (const path of ["/", "/#/inbox", `/#/s/${id}`, "/#/allowed"]) {
      await page.goto(path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      if (/inbox|s\//.test(path)) {
        await expect.poll(() => page.locator("[data-beckon-card]").count()).toBe(calls.length);
      }
      const scrolled = await page.evaluate(() => {
        scrollTo(0, 100_000);
        return scrollY;
      });
      expect(`${path} at ${size.width}: ${scrolled}`).toBe(`${path} at ${size.width}: 0`);
    }
  }
});

test("the badges of a session list stay inside it, however long a title is that cannot break", async () => {
  await furnish();
  for (const size of [
    { width: 1280, height: 800 },
    { width: 390, height: 664 },
  ]) {
    const window = await at.signIn({ path: "/#/inbox" });
    const { page } = window;
    await page.setViewportSize(size);
    if (size.width < 768) await opensDrawer(page);
    const nav = page.getByRole("navigation", { name: "Sessions" });
    const badges = nav.getByLabel("1 waiting for you");
    await expect.poll(() => badges.count()).toBe(4);
    const outside = await nav.evaluate((list) => {
      const edge = list.getBoundingClientRect().right;
      const rights = [...list.querySelectorAll("[aria-label$='waiting for you']")].map(
        (badge) => badge.getBoundingClientRect().right,
      );
      return rights.filter((right) => right > edge);
    });
    expect(outside).toEqual([]);
    await window.close();
  }
});

test("on a touch screen everything to press is at least 44 px high, and more appears at a press", async () => {
  const { id } = await at.place.session({ title: "Touch" });
  const window = await at.signIn({ viewport: "phone", path: `/#/s/${id}` });
  const { page } = window;
  await window.sees("A new conversation");
  await at.place.say(id, '/call stage_print {"path":"x"}');
  await page.getByRole("button", { name: "Copy code" }).waitFor();
  const small = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("button, summary, select, a.nav-row, textarea")]
        .filter((one) => one.checkVisibility() && !one.closest("[data-beckon-card]"))
        .filter((one) => !one.matches(".skip-link, .link-button"))
        .map((one) => ({ name: one.ariaLabel ?? one.innerText, box: one.getBoundingClientRect() }))
        .filter(({ box }) => box.height < 44 || box.width < 44)
        .map(({ name, box }) => `${name}: ${box.width.toFixed(0)} x ${box.height.toFixed(0)}`),
    );
  expect(await small()).toEqual([]);
  await opensDrawer(page);
  await openSettings(page);
  expect(await small()).toEqual([]);
  await page.getByRole("button", { name: "More about Touch" }).click();
  await page.getByRole("button", { name: "Rename Touch" }).click();
  await page.getByRole("textbox", { name: "New title" }).fill("Touched");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Touched", includeHidden: true }).waitFor();
});

test("the keyboard sees where it is, skips to the conversation, and finds landmarks and headings", async () => {
  const { id } = await at.place.session({ title: "Keys" });
  const window = await at.signIn({ path: `/#/s/${id}` });
  const { page, keyboard } = window;
  await window.sees("A new conversation");
  await keyboard.tabTo("Skip to the conversation");
  const unseen: string[] = [];
  for (let step = 0; step < 16; step++) {
    const seen = await page.evaluate(() => {
      const one = document.activeElement as HTMLElement;
      const frame = one.closest<HTMLElement>(".composer, .search") ?? one;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(frame);
      return (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
    });
    const { role, name } = await keyboard.focused();
    // Between the last and the first the focus is outside the page.
    const inside = await page.evaluate(() => document.activeElement !== document.body);
    if (inside && !seen) unseen.push(`${role} "${name}"`);
    await keyboard.press("Tab");
  }
  expect(unseen).toEqual([]);
  await page.getByRole("main").waitFor();
  await page.getByRole("complementary", { name: "Sessions and settings" }).waitFor();
  expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
});

test("who wants less motion or more contrast gets it", async () => {
  const { id } = await at.place.session({ title: "Calm" });
  const window = await at.signIn({ reducedMotion: true, path: `/#/s/${id}` });
  const { page } = window;
  await window.sees("A new conversation");
  await page.emulateMedia({ contrast: "more" });
  await window.noViolations();
  const soft = () =>
    page.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue("--color-soft"),
    );
  const more = await soft();
  await page.emulateMedia({ contrast: "no-preference" });
  expect(more).not.toBe(await soft());
  await at.place.say(id, '/call bash {"command":"true"}');
  await page.getByRole("button", { name: "Allow once" }).waitFor();
  const moving = await page.evaluate(
    () =>
      document.getAnimations().filter((one) => {
        const { duration = 0, iterations = 1 } = one.effect?.getComputedTiming() ?? {};
        return Number(duration) > 1 || iterations > 1;
      }).length,
  );
  expect(moving).toBe(0);
});
