import type { Browser } from "playwright-core";
import { standIn } from "../../test/browser/support/streamed-text.ts";
import { withMemoryDirectory } from "../directories.ts";
import { figure, type Figures, under } from "../figures.ts";
import { type Place, withBeckon } from "../place.ts";
import { lineOf, seedLogs } from "../seed-log.ts";
import type { Sizes } from "../sizes.ts";
import { withBrowser, withWindow } from "./browser.ts";
import { measureBundles } from "./bundles.ts";
import { timeToInteractive } from "./interactive.ts";
import { workToAppend, workToOpen } from "./open.ts";
import { withStaticPage } from "./static-page.ts";
import { workToAppendText, workToStream } from "./stream.ts";

const TARGETS_MS = { interactive: 1_000, open: 200, update: 4 };
const SHORT_LOG = 20;

interface Seen {
  interactive: number;
  open: number;
  update: number;
}

/** The built page in a real browser, beside a page that holds the same text and no program. */
export async function measurePage(sizes: Sizes): Promise<Figures> {
  const { rounds, events } = sizes.page;
  const seen = { beckon: [] as Seen[], bare: [] as Seen[] };
  await withMemoryDirectory(async (data) => {
    await seedLogs(data, { short: SHORT_LOG, long: events });
    await withBeckon(data, (beckon) =>
      withStaticPage(lineOf(SHORT_LOG), (bare) =>
        withBrowser(async (browser) => {
          for (let round = 0; round < rounds; round++) {
            seen.bare.push(await seeBare(browser, bare, sizes));
            seen.beckon.push(await see(browser, beckon, sizes));
          }
        }),
      ),
    );
  });
  const compared = (what: string, reference: string, of: keyof Seen) =>
    figure({
      what,
      reference,
      unit: "ms",
      beckon: seen.beckon.map((one) => one[of]),
      bare: seen.bare.map((one) => one[of]),
      target: under(TARGETS_MS[of]),
    });
  return {
    "page.interactive": compared(
      "navigation with an empty cache until a session can be read and written to",
      "a static page with the same text and a field",
      "interactive",
    ),
    "page.open": compared(
      `work of the page's thread to open a session of ${events} events`,
      "appending their texts to an empty page",
      "open",
    ),
    "page.update": compared(
      "work of the page's thread for a piece of streamed text, 95th percentile",
      "appending it to a text",
      "update",
    ),
    ...(await measureBundles()),
  };
}

function see(browser: Browser, place: Place, { page: { events, updates } }: Sizes): Promise<Seen> {
  return withWindow(browser, place, async (page) => {
    await standIn(page);
    const interactive = await timeToInteractive(page, "/#/s/short", lineOf(SHORT_LOG));
    const open = await workToOpen(page, "long", lineOf(events));
    return { interactive, open, update: await workToStream(page, "long", updates) };
  });
}

function seeBare(
  browser: Browser,
  place: Parameters<typeof withWindow>[1],
  { page: { events, updates } }: Sizes,
): Promise<Seen> {
  return withWindow(browser, place, async (page) => {
    const interactive = await timeToInteractive(page, "/", lineOf(SHORT_LOG));
    // First, while the page is still empty.
    const update = await workToAppendText(page, updates);
    const texts = Array.from({ length: events }, (_none, index) => lineOf(index + 1));
    return { interactive, update, open: await workToAppend(page, texts) };
  });
}
