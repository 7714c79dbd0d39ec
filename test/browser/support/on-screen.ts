import { readFileSync } from "node:fs";
import { escapeHidden, visibleText } from "../../../src/client/index.ts";
import type { Window } from "./window.ts";

const READ_PAGE = readFileSync(new URL("read-page.js", import.meta.url), "utf8");

/** What is on a page from its top to its end, with everything in it unfolded. */
export interface OnScreen {
  texts: string[];
  /** Elements and attributes that may never come out of text. */
  markup: string[];
}

export async function readPage(window: Window): Promise<OnScreen> {
  return window.page.evaluate(READ_PAGE);
}

/** Goes to an address inside the page, without loading it anew. */
export async function goTo(window: Window, hash: string): Promise<void> {
  const left = "new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))";
  await window.page.evaluate(`location.hash = ${JSON.stringify(hash)}; ${left}`);
}

/** How many of these texts show this one, in a form in which nothing hides. */
export function timesSeen(texts: string[], text: string): number {
  const forms = [...new Set(formsOf(text))];
  return texts.filter((one) => {
    const lines = one.replaceAll(String.raw`\u{A}`, "\n").replaceAll(String.raw`\u{9}`, "\t");
    return forms.some((form) => lines.includes(form));
  }).length;
}

/** As text, as JSON, as JSON to edit, and as fields of one line and of several have it. */
function formsOf(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  return [
    visibleText(text, { multiline: true }),
    visibleText(json),
    // What a person wrote is shown as they wrote it.
    text,
    json,
    // Answers to a question with several are JSON in JSON.
    visibleText(JSON.stringify(json).slice(1, -1)),
    escapeHidden(json, unit),
    text.replaceAll(/[\n\r]/g, ""),
    text.replaceAll(/\r\n?/g, "\n"),
  ];
}

const unit = (character: string) =>
  character
    .split("")
    .map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
