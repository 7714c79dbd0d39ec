import type { Page } from "playwright-core";
import { stopwatch } from "../../test/browser/support/stopwatch.ts";

/** How long the page's thread works to open a session, from another one to its last line. */
export async function workToOpen(page: Page, sessionId: string, last: string): Promise<number> {
  const worked = await stopwatch(page);
  const before = await worked();
  await page.evaluate(
    ([hash = "", wanted = ""]) =>
      new Promise<void>((resolve) => {
        const seen = new MutationObserver(() => {
          if (!document.body.textContent?.includes(wanted)) return;
          seen.disconnect();
          requestAnimationFrame(() => resolve());
        });
        seen.observe(document, { subtree: true, childList: true, characterData: true });
        location.hash = hash;
      }),
    [`#/s/${sessionId}`, last],
  );
  return (await worked()) - before;
}

/** The bare way: every text in a paragraph of its own. */
export async function workToAppend(page: Page, texts: string[]): Promise<number> {
  const worked = await stopwatch(page);
  const before = await worked();
  await page.evaluate((given) => {
    for (const text of given) {
      const paragraph = document.createElement("p");
      paragraph.append(text);
      document.body.append(paragraph);
    }
    return new Promise<void>((resolve) => requestAnimationFrame(() => resolve()));
  }, texts);
  // Reading where the last one is makes the browser lay them out.
  await page.evaluate(() => document.body.lastElementChild?.getBoundingClientRect().top);
  return (await worked()) - before;
}
