import { expect, test } from "vitest";
import { caughtWith, showCarelessly } from "./support/careless-page.ts";
import { browserTests } from "./support/index.ts";
import { PAYLOADS } from "./support/payloads.ts";

const at = browserTests();

test("no two payloads are the same", () => {
  expect(PAYLOADS.length).toBeGreaterThanOrEqual(60);
  expect(new Set(PAYLOADS.map(({ name }) => name)).size).toBe(PAYLOADS.length);
  expect(new Set(PAYLOADS.map(({ text }) => text)).size).toBe(PAYLOADS.length);
});

test("a careless page is caught with each payload that is not quiet", async () => {
  const window = await at.window();
  window.allow(/.*/);
  const missed: string[] = [];
  for (const { name, text } of PAYLOADS.filter(({ kind }) => kind !== "quiet")) {
    if (!(await caughtWith(window, text))) missed.push(name);
  }
  expect(missed).toEqual([]);
});

test("a harmless page is not caught", async () => {
  const window = await at.window();
  await showCarelessly(
    window,
    `<a href="https://example.com/">x</a> <a href="mailto:a@example.com">y</a> <a href="#/s/1">z</a>
     <img src="/icon.svg" alt=""><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="">
     <svg><path d="M1 1"></path></svg><form><input name="answer"></form>`,
  );
  expect(await window.hostileMarkup()).toEqual([]);
});
