import type { Page } from "playwright-core";

/** Opens the settings, unless they are. */
export async function openSettings(page: Page): Promise<void> {
  const out = page.getByRole("button", { name: "Sign out" });
  if (!(await out.isVisible())) await page.getByText(/· (Connected|Offline|Connecting)/).click();
  await out.waitFor();
}

/** Changes one of the switches there. */
export async function flip(page: Page, name: string): Promise<void> {
  await openSettings(page);
  await page.getByRole("switch", { name }).click();
}
