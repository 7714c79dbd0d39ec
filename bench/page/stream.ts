import type { Page } from "playwright-core";
import { stopwatch } from "../../test/browser/support/stopwatch.ts";
import { pieceOfText, streamText } from "../../test/browser/support/streamed-text.ts";
import { quantile } from "../figures.ts";

/** The first ones load what draws markdown. */
const WARM_UP = 20;
const SHARE = 0.95;

/** How long the page's thread works on a streamed piece of text: 95 of 100 take less. */
export async function workToStream(page: Page, sessionId: string, updates: number) {
  return workOn(page, updates, (text, offset) => streamText(page, sessionId, { text, offset }));
}

/** The bare way: the piece is added to a text. */
export async function workToAppendText(page: Page, updates: number): Promise<number> {
  await page.evaluate(() => document.body.append(document.createTextNode("")));
  return workOn(page, updates, (text) =>
    page.evaluate((piece) => {
      (document.body.lastChild as Text).appendData(piece);
      return new Promise<void>((resolve) => requestAnimationFrame(() => resolve()));
    }, text),
  );
}

async function workOn(
  page: Page,
  updates: number,
  update: (text: string, offset: number) => Promise<void>,
): Promise<number> {
  const worked = await stopwatch(page);
  const took: number[] = [];
  let offset = 0;
  for (let count = -WARM_UP; count < updates; count++) {
    const text = pieceOfText(count + WARM_UP);
    const before = await worked();
    await update(text, offset);
    if (count >= 0) took.push((await worked()) - before);
    offset += text.length;
  }
  return quantile(took, SHARE);
}
