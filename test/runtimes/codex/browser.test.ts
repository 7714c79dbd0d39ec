import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeOpenai, latestInput, says, startFakeOpenai } from "../../../src/testing/index.ts";
import { Browser } from "../../browser/support/browser.ts";
import { Place } from "../../browser/support/place.ts";
import { shownParts } from "../shown-parts.ts";
import { CODEX, runs } from "./codex-house.ts";

let home: string;
let model: FakeOpenai;
let place: Place;
let browser: Browser;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "beckon-codex-page-"));
  mkdirSync(join(home, "work"));
  model = await startFakeOpenai();
  const codex = { command: CODEX, network: true, env: model.codexEnv(home) };
  place = await Place.start((data) =>
    writeFileSync(join(data, "settings.json"), JSON.stringify({ agents: { codex } })),
  );
  browser = await Browser.launch();
});
afterAll(async () => {
  await browser.close();
  await place.stop();
  await model.close();
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

test("what a command of Codex's asks stands at its call, live and after a reload, and is answered there", async () => {
  const { id } = await place.session({ agent: "codex", cwd: join(home, "work") });
  const window = await browser.window(place);
  await window.signIn();
  await window.open(`/#/s/${id}`);
  model.answer([
    says("I look first.", runs("call_1", "echo looked")),
    says("Now I ask.", runs("call_2", 'beckon ask "Which colour?"')),
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
  expect(latestInput(model.requests.at(-1)!).results[0]?.text).toContain("Blue");
  await window.noViolations();
  expect(window.problems()).toEqual([]);
  await window.close();
});
