import { expect, test } from "vitest";
import { showCarelessly } from "./support/careless-page.ts";
import { browserTests } from "./support/index.ts";

const at = browserTests();

test("two windows of one person, and one of another, see the same", async () => {
  const [desk, phone, other] = await Promise.all([
    at.signIn({ path: "/#/inbox", reducedMotion: false }),
    at.signIn({ path: "/#/inbox", viewport: "phone", colorScheme: "dark", reducedMotion: true }),
    at.signIn({ path: "/#/inbox", person: "Ada" }),
  ]);
  await other.sees("Ada");
  await at.place.ask({ type: "approval", prompt: "Seen by all?" });
  for (const window of [desk, phone, other]) await window.sees("Seen by all?");
  expect(await phone.page.evaluate("innerWidth")).toBe(390);
  for (const feature of ["prefers-color-scheme: dark", "prefers-reduced-motion: reduce"]) {
    expect(await phone.page.evaluate(`matchMedia("(${feature})").matches`)).toBe(true);
    expect(await desk.page.evaluate(`matchMedia("(${feature})").matches`)).toBe(false);
  }
});

test("a window shares its sign-in with its tabs and with no other window", async () => {
  const window = await at.signIn();
  const tab = await window.tab("/");
  await tab.getByText("Agents ask, you answer").waitFor();
  const stranger = await at.window();
  stranger.allow(/401/);
  await stranger.open("/");
  await stranger.sees("Sign in to Beckon");
});

test("what a live region says is heard, once it is there", async () => {
  const window = await at.signIn({ path: "/#/inbox" });
  await at.place.ask({ type: "input", prompt: "Listen?" });
  await expect.poll(() => window.announcements().join()).toContain("Listen?");
});

test("axe runs under the CSP and finds what is wrong", async () => {
  const window = await at.signIn();
  await window.page.evaluate("document.body.append(document.createElement('button'))");
  await expect(window.noViolations()).rejects.toThrow("button-name");
});

test("Tab reaches what can be used, by its name", async () => {
  const window = await at.window();
  await showCarelessly(window, "<button>One</button><input aria-label=Two><a href=/>Three</a>");
  expect(await window.keyboard.tabTo("Two")).toEqual({ role: "textbox", name: "Two" });
  await window.keyboard.type("text");
  await window.keyboard.press("Tab");
  expect(await window.keyboard.focused()).toEqual({ role: "link", name: "Three" });
  await expect(window.keyboard.tabTo("Four", 5)).rejects.toThrow('link "Three"');
});

const BREACHES: [html: string, problem: string][] = [
  ["<script>__xss('it ran')</script>", "script ran: it ran"],
  ["<script>alert('hello')</script>", "script ran: alert hello"],
  ["<script>throw new Error('oops')</script>", "uncaught error: Error: oops"],
  ["<script>console.error('bad')</script>", "console error: bad"],
  ["<img src=https://canary.invalid/x>", "request to the outside: GET https://canary.invalid/x"],
  ["<script>new WebSocket('wss://canary.invalid')</script>", "request to the outside: WebSocket"],
];

test("no script, dialog, error or request to the outside goes unnoticed", async () => {
  for (const [html, problem] of BREACHES) {
    const window = await at.window();
    await showCarelessly(window, html);
    await expect.poll(() => window.problems().join("\n")).toContain(problem);
    window.allow(/.*/s);
  }
});

test("what gets past the interception of requests is stopped by the window's network", async () => {
  const window = await at.window();
  await window.page.route("https://canary.invalid/**", (route) => route.continue());
  await showCarelessly(window, "<img src=https://canary.invalid/x>");
  await expect
    .poll(() => window.problems())
    .toContain("connection to the outside: CONNECT canary.invalid:443");
  window.allow(/.*/s);
});

test("a breach of the server's CSP is stopped and does not go unnoticed", async () => {
  const window = await at.signIn();
  const html = "<img src=x onerror=__xss(1)>";
  await window.page.evaluate(`document.body.insertAdjacentHTML("beforeend", "${html}")`);
  await expect
    .poll(() => window.problems().join("\n"))
    .toContain("against the content security policy: script-src-attr");
  expect(window.watch.ran).toEqual([]);
  window.allow(/.*/s);
});
