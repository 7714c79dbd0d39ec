import axe from "axe-core";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { byDepth } from "../../support/depth.ts";
import { Keyboard } from "./keyboard.ts";
import { Network } from "./network.ts";
import type { Place } from "./place.ts";
import { Watch } from "./watch.ts";

const VIEWPORTS = {
  desk: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
  small: { width: 360, height: 740 },
} as const;

/** What moves is drawn by the processor here, and takes much of it. */
const LITTLE_MOTION = byDepth({ quick: true, usual: true, deep: false });

/** What a window is opened at: a server that somebody can sign in to. */
export type Site = Pick<Place, "url" | "restarts" | "signInCode">;

export interface WindowOptions {
  /** @default 'desk' */
  viewport?: keyof typeof VIEWPORTS;
  /** @default 'light' */
  colorScheme?: "light" | "dark";
  /** @default what moves moves in the deep run only */
  reducedMotion?: boolean;
}

/** What axe found in one element, in a line. */
export interface Violation {
  rule: string;
  impact: string;
  help: string;
  elements: string[];
}

/** One window of a person: its own cookies and storage, and a record of what went wrong in it. */
export class Window {
  readonly page: Page;
  readonly keyboard: Keyboard;
  readonly watch: Watch;
  readonly #context: BrowserContext;
  readonly #network: Network;
  readonly #place: Site;
  readonly #allowed: RegExp[] = [];
  #wentOffline = false;

  private constructor(
    place: Site,
    context: BrowserContext,
    page: Page,
    seen: { watch: Watch; network: Network },
  ) {
    this.#place = place;
    this.#context = context;
    this.#network = seen.network;
    this.page = page;
    this.watch = seen.watch;
    this.keyboard = new Keyboard(page);
  }

  static async open(browser: Browser, place: Site, options: WindowOptions): Promise<Window> {
    const { viewport = "desk", colorScheme = "light", reducedMotion = LITTLE_MOTION } = options;
    const network = await Network.open(place.url);
    const context = await browser.newContext({
      proxy: { server: network.proxy },
      baseURL: place.url,
      viewport: VIEWPORTS[viewport],
      hasTouch: viewport !== "desk",
      colorScheme,
      reducedMotion: reducedMotion ? "reduce" : "no-preference",
      serviceWorkers: "block",
    });
    // Long for a busy machine, and short enough to tell what was awaited before the test gives up.
    context.setDefaultTimeout(60_000);
    const restartsBefore = place.restarts;
    const mayLose = (): boolean => window.#wentOffline || place.restarts > restartsBefore;
    const watch = new Watch(place.url, mayLose);
    await watch.attach(context);
    const page = await context.newPage();
    const window: Window = new Window(place, context, page, { watch, network });
    return window;
  }

  /** Signs in by the address that `beckon open` prints, and waits until the page is connected. */
  async signIn(person?: string): Promise<this> {
    const code = await this.#place.signInCode(person);
    const exchanged = this.page.waitForResponse(`${this.#place.url}/api/auth/exchange`);
    await this.page.goto(`/#code=${code}`);
    const response = await exchanged;
    if (!response.ok()) throw new Error(`Sign-in got ${response.status()}.`);
    await this.page.waitForURL((url) => !url.href.includes(code));
    await this.sees("Agents ask, you answer");
    return this;
  }

  /** Goes to an address of the server, such as `/#/s/ID`. */
  async open(path: string): Promise<void> {
    await this.page.goto(path);
  }

  /** A second tab of the same browser: the same person, cookies and storage. */
  async tab(path: string): Promise<Page> {
    const page = await this.#context.newPage();
    await page.goto(path);
    return page;
  }

  /** Waits until this text, or what this locator finds, is visible. */
  async sees(what: string | RegExp | Locator): Promise<void> {
    await this.#find(what).first().waitFor({ state: "visible" });
  }

  /** Waits until it is not, or no longer, visible. */
  async doesNotSee(what: string | RegExp | Locator): Promise<void> {
    await this.#find(what).first().waitFor({ state: "hidden" });
  }

  /** What live regions have said so far, in order. */
  announcements(): string[] {
    return [...this.watch.said];
  }

  /** Cuts the network of this window, open WebSockets too. */
  async goOffline(): Promise<void> {
    this.#wentOffline = true;
    this.#network.cut();
    await this.#context.setOffline(true);
  }

  /** The server hears this window, which hears nothing of it any more. */
  goDeaf(): void {
    this.#wentOffline = true;
    this.#network.deafen();
  }

  async goOnline(): Promise<void> {
    this.#network.restore();
    await this.#context.setOffline(false);
  }

  /** Says that one kind of problem is what the test is about. */
  allow(pattern: RegExp): void {
    this.#allowed.push(pattern);
  }

  /** What the page did and may not do; after each test this must be nothing. */
  problems(): string[] {
    const strays = this.#network.outside.map((text) => `connection to the outside: ${text}`);
    return [...this.watch.problems(), ...strays].filter(
      (problem) => !this.#allowed.some((pattern) => pattern.test(problem)),
    );
  }

  /** Elements and attributes that may never come out of text, whether they did something or not. */
  async hostileMarkup(): Promise<string[]> {
    return this.page.evaluate("window.__hostileMarkup()");
  }

  /** What axe finds wrong, in all of the page or in one element. It is evaluated by the debugger, which the CSP does not stop. */
  async violations(within = "html"): Promise<Violation[]> {
    if (!(await this.page.evaluate("'axe' in window"))) await this.page.evaluate(axe.source);
    const run = `axe.run(${JSON.stringify(within)}, { resultTypes: ["violations"] })`;
    const { violations } = (await this.page.evaluate(run)) as axe.AxeResults;
    return violations.map(({ id, impact, help, nodes }) => ({
      rule: id,
      impact: impact ?? "unknown",
      help,
      elements: nodes.map((node) => node.html.slice(0, 200)),
    }));
  }

  /** Fails if axe finds anything, and says what and where. */
  async noViolations(within?: string): Promise<void> {
    const found = await this.violations(within);
    const dark = await this.page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches");
    const where = dark ? "in dark" : "in light";
    if (found.length > 0) throw new Error(`axe found ${where}:\n${JSON.stringify(found, null, 2)}`);
  }

  /** Fails if axe finds anything in light or in dark. */
  async isAccessible(within?: string): Promise<void> {
    for (const colorScheme of ["light", "dark"] as const) {
      await this.page.emulateMedia({ colorScheme });
      await this.#settles();
      await this.noViolations(within);
    }
  }

  async screenshot(path: string): Promise<void> {
    await this.page.screenshot({ path, animations: "disabled", fullPage: true });
  }

  async close(): Promise<void> {
    await this.#context.close();
    this.#network.close();
  }

  /** Waits until colours have changed as far as they will: half-way they are nobody's choice. */
  async #settles(): Promise<void> {
    await this.page.evaluate(async () => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      // They begin in the frame after the change.
      await frame().then(frame);
      const finite = document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
      await Promise.all(finite.map(({ finished }) => finished.catch(() => {})));
    });
  }

  #find(what: string | RegExp | Locator): Locator {
    return typeof what === "string" || what instanceof RegExp ? this.page.getByText(what) : what;
  }
}
