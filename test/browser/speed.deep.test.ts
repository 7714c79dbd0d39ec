import { expect, test } from "vitest";
import { browserTests } from "./support/index.ts";
import { stopwatch } from "./support/stopwatch.ts";
import { pieceOfText, standIn, streamText } from "./support/streamed-text.ts";

const at = browserTests({ fresh: true });

/** Targets are printed; a machine that does other things too fails a test only at ten times them. */
const TARGETS = { mountMs: 200, updateMs: 4 };
const SLACK = 10;

test("3,000 events are mounted within the budget", async () => {
  const { id } = await at.place.session({ title: "Three thousand" });
  const texts = Array.from({ length: 3_000 }, (_none, index) => `Line ${index + 1} of **many**`);
  await at.place.write(id, texts);
  const { page } = await at.signIn();
  const worked = await stopwatch(page);
  await page.evaluate(() => {
    const long: number[] = [];
    Object.assign(window, { __long: long });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) long.push(entry.duration);
    }).observe({ type: "longtask" });
  });
  const before = await worked();
  const took = await page.evaluate(async (sessionId) => {
    performance.mark("open");
    location.hash = `#/s/${sessionId}`;
    await new Promise<void>((resolve) => {
      const seen = new MutationObserver(() => {
        if (!document.body.textContent?.includes("Line 3000 of")) return;
        seen.disconnect();
        resolve();
      });
      seen.observe(document, { subtree: true, childList: true, characterData: true });
    });
    return performance.measure("mounted", "open").duration;
  }, id);
  const work = (await worked()) - before;
  const long: number[] = await page.evaluate(() => (window as any).__long);
  console.log(
    `3,000 events: ${work.toFixed(0)} ms of work (target ${TARGETS.mountMs}), ` +
      `longest task ${Math.max(0, ...long).toFixed(0)} ms, at their end after ${took.toFixed(0)} ms`,
  );
  expect(work).toBeLessThan(TARGETS.mountMs * SLACK);
});

test("a piece of streamed text is drawn within the budget, after 500 events", async () => {
  const { id } = await at.place.session({ title: "Streaming" });
  await at.place.write(
    id,
    Array.from({ length: 500 }, (_none, index) => `Line ${index + 1}`),
  );
  const window = await at.window();
  await standIn(window.page);
  await window.signIn();
  const { page } = window;
  await page.goto(`/#/s/${id}`);
  await page.getByText("Line 500", { exact: true }).waitFor();
  const worked = await stopwatch(page);
  const times: number[] = [];
  let offset = 0;
  for (let count = 0; count < 170; count++) {
    const text = pieceOfText(count);
    const before = await worked();
    await streamText(page, id, { text, offset });
    offset += text.length;
    times.push((await worked()) - before);
  }
  // The first ones load what draws markdown.
  times.splice(0, 20);
  times.sort((a, b) => a - b);
  expect(await page.getByText("some words with").count()).toBeGreaterThan(0);
  const quantile = (share: number) => times[Math.floor(times.length * share)] ?? Infinity;
  console.log(
    `a streamed update: median ${quantile(0.5).toFixed(1)} ms, ` +
      `p95 ${quantile(0.95).toFixed(1)} ms (target ${TARGETS.updateMs})`,
  );
  expect(quantile(0.95)).toBeLessThan(TARGETS.updateMs * SLACK);
});
