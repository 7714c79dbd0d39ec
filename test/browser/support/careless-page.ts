import { Marked, marked } from "marked";
import type { Window } from "./window.ts";

/** Addresses as they were written, where marked itself would encode them. */
const rawLinks = new Marked({
  renderer: { link: ({ href, text }) => `<a href="${href}">${text}</a>` },
});

/** Ways to show a text that are all wrong. */
const WAYS: Record<string, (text: string) => string> = {
  "as HTML": (text) => `<div>${text}</div><p>It's over.</p>`,
  "as markdown": (text) => `<div>${marked.parse(text, { async: false })}</div>`,
  "as markdown with raw links": (text) => rawLinks.parse(text, { async: false }),
  "in an attribute": (text) => `<input value="${text}"><p title='${text}'></p>`,
  "as HTML, normalised": (text) => `<div>${text.normalize("NFKC")}</div>`,
  "as HTML, decoded twice": (text) => `<div>${text.replaceAll("&lt;", "<")}</div>`,
};

/** Shows a text under the server's address as a page would that knows no better and has no CSP. */
export async function showCarelessly(window: Window, html: string): Promise<void> {
  const body = `<!doctype html><html lang="en"><title>Careless</title><body>${html}`;
  const answer = { contentType: "text/html; charset=utf-8", body };
  await window.page.route("**/careless", (route) => route.fulfill(answer), { times: 1 });
  await window.page.goto("/careless", { waitUntil: "domcontentloaded" });
}

/** Which careless way the check of the markup catches first with this text, if any. */
export async function caughtWith(window: Window, text: string): Promise<string | undefined> {
  for (const [way, toHtml] of Object.entries(WAYS)) {
    await showCarelessly(window, toHtml(text));
    if ((await window.hostileMarkup()).length > 0) return way;
  }
  return undefined;
}
