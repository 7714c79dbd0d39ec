import type { BrowserContext, ConsoleMessage, Page, Request } from "playwright-core";

/** What the browser itself says about requests that failed because nobody answered. */
const CONNECTION_LOST =
  /net::ERR_(CONNECTION|INTERNET|EMPTY|SOCKET|NETWORK|INCOMPLETE|TUNNEL|PROXY)|WebSocket connection to .* failed/;

/** Everything that happened in a window and that a page must not do, and what it read out. */
export class Watch {
  readonly consoleErrors: string[] = [];
  readonly pageErrors: string[] = [];
  readonly outsideRequests: string[] = [];
  readonly cspViolations: string[] = [];
  /** Payloads that ran, by name, and dialogs that were opened. */
  readonly ran: string[] = [];
  readonly said: string[] = [];
  readonly #origin: string;
  readonly #mayLoseConnection: () => boolean;

  constructor(origin: string, mayLoseConnection: () => boolean) {
    this.#origin = origin;
    this.#mayLoseConnection = mayLoseConnection;
  }

  async attach(context: BrowserContext): Promise<void> {
    const path = new URL("in-page.js", import.meta.url).pathname;
    await context.exposeBinding("__report", (_source, seen: Seen) => this.#report(seen));
    await context.addInitScript({ path });
    await context.route(
      (url) => !this.#isOwn(url.href),
      (route) => {
        this.#outside(route.request());
        return route.abort("blockedbyclient");
      },
    );
    context.on("page", (page) => this.#attachTo(page));
  }

  /** What is wrong, as sentences; nothing if all is well. */
  problems(): string[] {
    return [
      ...this.consoleErrors.map((text) => `console error: ${text}`),
      ...this.pageErrors.map((text) => `uncaught error: ${text}`),
      ...this.outsideRequests.map((text) => `request to the outside: ${text}`),
      ...this.cspViolations.map((text) => `against the content security policy: ${text}`),
      ...this.ran.map((text) => `script ran: ${text}`),
    ];
  }

  #attachTo(page: Page): void {
    page.on("console", (message) => this.#hear(message));
    page.on("pageerror", (error) => this.pageErrors.push(error.stack ?? error.message));
    page.on("websocket", (socket) => {
      if (!this.#isOwn(socket.url())) this.outsideRequests.push(`WebSocket ${socket.url()}`);
    });
    page.on("crash", () => this.pageErrors.push("The page crashed."));
    page.on("dialog", (dialog) => {
      if (dialog.type() !== "beforeunload") this.ran.push(`${dialog.type()} ${dialog.message()}`);
      void dialog.dismiss().catch(() => {});
    });
  }

  #hear(message: ConsoleMessage): void {
    if (message.type() !== "error") return;
    const text = `${message.text()} (${message.location().url})`;
    if (CONNECTION_LOST.test(text) && this.#mayLoseConnection()) return;
    this.consoleErrors.push(text);
  }

  #outside(request: Request): void {
    this.outsideRequests.push(`${request.method()} ${request.url()} (${request.resourceType()})`);
  }

  #report({ kind, text }: Seen): void {
    if (kind === "csp") this.cspViolations.push(text);
    else if (kind === "ran") this.ran.push(text);
    else this.said.push(text);
  }

  #isOwn(address: string): boolean {
    const { origin, protocol } = new URL(address);
    if (protocol === "data:" || protocol === "blob:" || protocol === "about:") return true;
    return origin.replace(/^ws/, "http") === this.#origin;
  }
}

interface Seen {
  kind: "csp" | "ran" | "said";
  text: string;
}
