import type { Page } from "playwright-core";

/** What stands on the page, in its order: calls by how they are, cards by what they ask. */
export function shownParts(page: Page): Promise<string[]> {
  const parts = page.locator("[data-status], [data-beckon-card]");
  return parts.evaluateAll((found) =>
    found.map((one) => one.getAttribute("data-status") ?? one.textContent ?? ""),
  );
}
