import type { Page } from "playwright-core";

/**
 * Milliseconds from the start of a navigation until the page shows this text and a field to write
 * in. The page itself looks, so that no road to the browser is measured.
 */
export async function timeToInteractive(page: Page, path: string, text: string): Promise<number> {
  await page.addInitScript((wanted) => {
    const look = new MutationObserver(() => {
      const field = document.querySelector("textarea");
      if (!field || !document.body.textContent?.includes(wanted)) return;
      look.disconnect();
      Object.assign(globalThis, { __interactive: performance.now() });
    });
    look.observe(document, { subtree: true, childList: true, characterData: true });
  }, text);
  await page.goto(path);
  const found = await page.waitForFunction(
    () => (globalThis as { __interactive?: number }).__interactive,
  );
  return (await found.jsonValue()) ?? Number.NaN;
}
