import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type FakeAnthropic,
  latest,
  says,
  startFakeAnthropic,
  toolUse,
} from "../../../src/testing/index.ts";
import { Browser } from "../../browser/support/browser.ts";
import { Place } from "../../browser/support/place.ts";
import { findClaudeCode } from "../claude-code/code-house.ts";
import { shownParts } from "../shown-parts.ts";

let home: string;
let model: FakeAnthropic;
let place: Place;
let browser: Browser;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "beckon-claude-cli-page-"));
  model = await startFakeAnthropic();
  const env = { ...model.env(home), IS_SANDBOX: "1" };
  const cli = { command: findClaudeCode(), settingSources: [], env };
  place = await Place.start((data) =>
    writeFileSync(join(data, "settings.json"), JSON.stringify({ agents: { "claude-cli": cli } })),
  );
  browser = await Browser.launch();
});
afterAll(async () => {
  await browser.close();
  await place.stop();
  await model.close();
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

test("what a command of Claude Code's asks stands at its call, live and after a reload, and is answered there", async () => {
  const permissionMode = "bypassPermissions";
  const { id } = await place.session({ agent: "claude-cli", cwd: home, permissionMode });
  const window = await browser.window(place);
  await window.signIn();
  await window.open(`/#/s/${id}`);
  model.answer([
    says("I look first.", toolUse("toolu_p1", "Bash", { command: "echo looked" })),
    says("Now I ask.", toolUse("toolu_p2", "Bash", { command: 'beckon ask "Which colour?"' })),
    says("**Blue** it is."),
  ]);
  const { page } = window;
  const composer = page.getByRole("textbox").first();
  await composer.fill("Paint it, please.");
  await composer.press("Enter");
  const standing = ["ok", "waiting", expect.stringContaining("Which colour?")];
  await window.sees("Which colour?");
  await expect.poll(() => shownParts(page), { timeout: 15_000 }).toEqual(standing);
  await page.reload();
  await window.sees("Now I ask.");
  await expect.poll(() => shownParts(page), { timeout: 15_000 }).toEqual(standing);
  const card = page.locator("[data-beckon-card]");
  await card.getByRole("textbox").fill("Blue");
  await card.getByRole("button", { name: "Submit" }).click();
  await window.sees("it is.");
  expect(latest(model.requests.at(-1)!).results[0]?.text).toContain("Blue");
  await window.noViolations();
  expect(window.problems()).toEqual([]);
  await window.close();
});
