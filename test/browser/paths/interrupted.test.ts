import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { byDepth } from "../../support/depth.ts";
import { cardOf, cardsOf } from "../support/answering.ts";
import { browserTests } from "../support/index.ts";
import type { Window } from "../support/window.ts";
import { endedOnce, holds, type Kind, KINDS, send } from "./kinds.ts";

const at = browserTests();

/** An approval and a form are the furthest from each other; the deep run has every kind. */
const FEW = ["gate", "form"];
const NAMES = byDepth({ quick: FEW, usual: FEW, deep: Object.keys(KINDS) });

interface Story {
  name: string;
  kind: Kind;
  page: Page;
  sessionId: string;
}

/** One tab for each of these prompts, all of them open and begun to be answered. */
async function allKinds(): Promise<{ window: Window; stories: Story[] }> {
  const window = await at.signIn();
  const stories: Story[] = [];
  for (const name of NAMES) {
    const kind = KINDS[name]!;
    const { id: sessionId } = await at.place.session({ title: name });
    const page = await window.tab(`/#/s/${sessionId}`);
    await send(page, kind.message);
    await seesOneOpen(page);
    await kind.begin(page);
    stories.push({ name, kind, page, sessionId });
  }
  return { window, stories };
}

test("a reload and a second device show the same prompt, once, and either may answer", async () => {
  const { stories } = await allKinds();
  const phone = await at.signIn({ viewport: "phone" });
  for (const { name, kind, page, sessionId } of stories) {
    await about(name, async () => {
      await page.reload();
      await kind.seesBegun(page);
      await seesOneOpen(page);
      const small = await phone.tab(`/#/s/${sessionId}`);
      await seesOneOpen(small);
      await kind.begin(small);
      await kind.finish(small);
      await endedOnce(at.place, sessionId, kind);
      await page.getByText("on another device by Owner").first().waitFor();
      // It stays the answer of the phone, also when the phone has forgotten that it gave it.
      await small.reload();
      await holds(() => cardOf(small).getAttribute("data-state"), "completed");
      for (const one of [page, small]) expect(await cardsOf(one).count()).toBe(1);
    });
  }
});

test("prompts, half answered, outlive the server's end and its death", async () => {
  const { stories } = await allKinds();
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    await at.place.restart(signal);
    for (const { name, kind, page } of stories) {
      await about(name, async () => {
        await seesOneOpen(page);
        await kind.seesBegun(page);
      });
    }
  }
  // What was begun is kept by the browser, not by the page that was open all the time.
  for (const { page } of stories) await page.reload();
  for (const { name, kind, page, sessionId } of stories) {
    await about(name, async () => {
      await kind.seesBegun(page);
      await kind.finish(page);
      await endedOnce(at.place, sessionId, kind);
      await holds(() => cardsOf(page).count(), 1);
    });
  }
});

test("an answer to a server that is away is said to wait, and arrives once when it is back", async () => {
  const { stories } = await allKinds();
  await at.place.goAway("SIGKILL");
  for (const { kind, page } of stories) await kind.finish(page);
  for (const { name, page } of stories) {
    await about(name, async () => {
      await cardOf(page).getByText("sent as soon as it is back").waitFor();
      await holds(() => cardOf(page).getAttribute("data-state"), "submitting");
    });
  }
  await at.place.comeBack();
  for (const { name, kind, page, sessionId } of stories) {
    await about(name, async () => {
      await endedOnce(at.place, sessionId, kind);
      await holds(() => cardOf(page).getAttribute("data-state"), "completed");
      expect(await cardOf(page).innerText()).not.toContain("another device");
    });
  }
});

/** Says of which kind a failure tells. */
async function about(name: string, steps: () => Promise<void>): Promise<void> {
  try {
    await steps();
  } catch (error) {
    throw new Error(`With a prompt of the kind “${name}”: ${String(error)}`, { cause: error });
  }
}

async function seesOneOpen(page: Page): Promise<void> {
  await page.locator("[data-beckon-card][data-state=pending]").first().waitFor();
  expect(await cardsOf(page).count()).toBe(1);
}
