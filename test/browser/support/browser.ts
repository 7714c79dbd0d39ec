import { type Browser as Chromium, chromium } from "playwright-core";
import { chromiumLaunch } from "./chromium.ts";
import { type Site, Window, type WindowOptions } from "./window.ts";

/** One Chromium. Its windows share nothing: each is a context with a network of its own. */
export class Browser {
  readonly #chromium: Chromium;

  private constructor(chromium: Chromium) {
    this.#chromium = chromium;
  }

  static async launch(): Promise<Browser> {
    return new Browser(await chromium.launch(await chromiumLaunch()));
  }

  async window(place: Site, options: WindowOptions = {}): Promise<Window> {
    return Window.open(this.#chromium, place, options);
  }

  async close(): Promise<void> {
    await this.#chromium.close();
  }
}
