import type { Page } from "playwright-core";

const PARTS = new Set(["ScriptDuration", "LayoutDuration", "RecalcStyleDuration"]);

/** How long the page's thread has worked so far: not while other programs had the core. */
export async function stopwatch(page: Page): Promise<() => Promise<number>> {
  const browser = await page.context().newCDPSession(page);
  await browser.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await browser.send("Performance.getMetrics");
    const spent = metrics.filter(({ name }) => PARTS.has(name));
    return spent.reduce((sum, { value }) => sum + value * 1_000, 0);
  };
}
