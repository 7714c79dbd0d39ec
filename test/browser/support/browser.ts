import { type Browser as Chromium, chromium } from "playwright-core";
import { chromiumLaunch } from "./chromium.ts";
import { type Site, Window, type WindowOptions } from "./window.ts";

let running: Promise<Chromium> | undefined;

/** Starting one takes a second or two, so the files of a worker share it; it ends with the worker. */
async function chromiumOfThisWorker(): Promise<Chromium> {
  const known = await running;
  if (known?.isConnected()) return known;
  running = launch();
  return running;
}

async function launch(): Promise<Chromium> {
  // The end of a worker is short: where it exits at once, Playwright removes all that it made.
  process.once("SIGTERM", () => process.exit());
  return chromium.launch({ ...(await chromiumLaunch()), handleSIGTERM: false });
}

/**
 * A window in the Chromium of this worker. It shares nothing with others: each is a context with a
 * network of its own.
 */
export async function openWindow(place: Site, options: WindowOptions = {}): Promise<Window> {
  return Window.open(await chromiumOfThisWorker(), place, options);
}
