import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import {
  type Browser,
  type BrowserContextOptions,
  chromium as playwright,
  type Page,
} from "playwright-core";
import { type Beckon, createBeckon } from "../../src/beckon.ts";
import { OWNER_ID } from "../../src/server/index.ts";
import { openSqliteStore } from "../../src/store/index.ts";
import { systemClock } from "../../src/system.ts";

/**
 * What the package adds for places with one process only: there all contexts share their cookies,
 * and closing one ends the browser. And what would let a page get away with what users' browsers forbid.
 */
const UNFIT = new Set([
  "--single-process",
  "--no-zygote",
  "--disable-web-security",
  "--allow-running-insecure-content",
]);

/** A real server on a real socket, and a real browser that looks at it. */
export class BrowserHouse {
  readonly #directory = mkdtempSync(join(tmpdir(), "beckon-browser-"));
  #beckon!: Beckon;
  #browser!: Browser;
  url = "";
  /** What no page may ever do: run into its policy, throw, or ask somebody else for something. */
  readonly complaints: string[] = [];

  static async open(): Promise<BrowserHouse> {
    const house = new BrowserHouse();
    await house.start();
    house.#browser = await playwright.launch({
      executablePath: await chromium.executablePath(),
      args: chromium.args.filter((one) => !UNFIT.has(one)),
      headless: true,
    });
    return house;
  }

  async start(): Promise<void> {
    this.#beckon = await createBeckon({ dataDir: join(this.#directory, "data") });
    this.url = (await this.#beckon.listen({ host: "127.0.0.1", port: 0 })).url;
  }

  get token(): string {
    return this.#beckon.ownerToken;
  }

  code(): Promise<string> {
    return this.#beckon.credentials.createSigninCode(OWNER_ID);
  }

  /** A browser of its own, that nobody has signed in yet. */
  async stranger(options: BrowserContextOptions = {}): Promise<Page> {
    const viewport = { width: 1280, height: 800 };
    const context = await this.#browser.newContext({ viewport, ...options });
    const page = await context.newPage();
    page.on("pageerror", (error) => this.complaints.push(String(error)));
    page.on("console", (message) => {
      if (/Content.Security.Policy/i.test(message.text())) this.complaints.push(message.text());
    });
    page.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol !== "data:" && origin !== this.url) this.complaints.push(request.url());
    });
    return page;
  }

  /** A page that is signed in and shows `hash`. */
  async page(hash = "#/", options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.stranger(options);
    await page.goto(`${this.url}/#code=${await this.code()}`);
    await page.getByText("Agents ask, you answer").waitFor();
    await page.goto(`${this.url}/${hash}`);
    return page;
  }

  async api<Body>(path: string, body?: object): Promise<Body> {
    const answer = await fetch(`${this.url}/api${path}`, {
      method: body ? "POST" : "GET",
      headers: { authorization: `Bearer ${this.token}`, "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return (await answer.json()) as Body;
  }

  async session(title: string): Promise<string> {
    return (await this.api<{ id: string }>("/sessions", { title })).id;
  }

  /** Puts text events straight into a session's log, while the server is down for a moment. */
  async write(sessionId: string, texts: string[]): Promise<void> {
    await this.#beckon.close();
    const path = join(this.#directory, "data", "beckon.db");
    const store = openSqliteStore({ path, clock: systemClock });
    const events = texts.map((text, at) => ({
      id: `seeded-${at}-${sessionId}`.slice(0, 60),
      type: "text" as const,
      at: Date.now(),
      turnId: `turn-${Math.floor(at / 50)}`,
      payload: { text },
    }));
    const result = await store.commit({ sessionId, writes: [], events });
    await store.close();
    if (!result.ok) throw new Error(JSON.stringify(result));
    await this.start();
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#beckon.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
