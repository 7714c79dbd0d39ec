import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { latest, says, startFakeAnthropic, toolUse } from "../../../src/testing/index.ts";
import { openWindow } from "../../browser/support/browser.ts";
import { agentPage } from "../agent-page.ts";
import { COLOUR, SDK_PATH } from "./claude-house.ts";

const at = agentPage(startFakeAnthropic, (model, home) => ({
  claude: { sdkPath: SDK_PATH, settingSources: [], env: model.env(home) },
}));

test("a person talks to Claude in the page, approves its command and answers its question there", async () => {
  const { home, model, place } = at;
  const { id } = await place.session({ agent: "claude", cwd: home });
  const window = await openWindow(place);
  await window.signIn();
  await window.open(`/#/s/${id}`);
  model.answer([
    says("I make the folder.", toolUse("toolu_b1", "Bash", { command: "mkdir painted" })),
    says(toolUse("toolu_b2", "AskUserQuestion", { questions: [COLOUR] })),
    says("**Blue** it is."),
  ]);
  const { page } = window;
  const composer = page.getByRole("textbox").first();
  await composer.fill("Paint it, please.");
  await composer.press("Enter");
  await window.sees("Run this command?");
  await window.sees("mkdir painted");
  await page.getByRole("button", { name: "Allow once" }).click();
  await page.getByRole("radio", { name: /Blue/ }).check();
  await page.getByRole("button", { name: "Submit" }).click();
  await window.sees("it is.");
  expect(existsSync(join(home, "painted"))).toBe(true);
  expect(latest(model.requests.at(-1)!).results[0]?.text).toContain('="Blue"');
  await window.noViolations();

  // It may be told to ask less, but not by one slip.
  const mode = page.getByRole("combobox", { name: "How it asks" });
  await mode.selectOption({ label: "Never ask" });
  await page.getByRole("button", { name: "Keep it" }).click();
  expect((await place.get(`/api/sessions/${id}`)).permissionMode).toBe("default");
  await mode.selectOption({ label: "Edit without asking" });
  const kept = async () => (await place.get(`/api/sessions/${id}`)).permissionMode;
  await expect.poll(kept).toBe("acceptEdits");
  await window.noViolations();
  expect(window.problems()).toEqual([]);
  await window.close();
});
