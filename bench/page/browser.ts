import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { chromiumLaunch } from "../../test/browser/support/chromium.ts";
import type { Place } from "../place.ts";

/** The Chromium that comes with `npm install`, headless. */
export async function withBrowser<Result>(work: (browser: Browser) => Promise<Result>) {
  const browser = await chromium.launch(await chromiumLaunch());
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

/** A window with an empty cache, signed in where there is something to sign in to. */
export async function withWindow<Result>(
  browser: Browser,
  place: Pick<Place, "url" | "headers">,
  work: (page: Page) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext({ baseURL: place.url, serviceWorkers: "block" });
  try {
    if (place.headers["authorization"]) await signIn(context, place);
    return await work(await context.newPage());
  } finally {
    await context.close();
  }
}

async function signIn(context: BrowserContext, { headers, url }: Pick<Place, "url" | "headers">) {
  const reply = await context.request.post("/api/auth/signin", {
    headers: { ...headers, origin: url },
    data: {},
  });
  if (!reply.ok()) throw new Error(`Signing in got ${reply.status()}: ${await reply.text()}`);
}
