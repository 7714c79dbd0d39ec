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

test("what is sent now joins the turn, and what is sent after it waits", async () => {
  const { home, model, place } = at;
  const { id } = await place.session({ agent: "claude", cwd: home });
  const window = await openWindow(place, { viewport: "phone" });
  await window.signIn();
  await window.open(`/#/s/${id}`);
  let goOn = (): void => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  let asked = 0;
  model.answer(async (request) => {
    asked++;
    await held;
    const isDone = JSON.stringify(request.messages).includes("toolu_b3");
    const command = "echo started";
    return isDone ? says("As you wish.") : says(toolUse("toolu_b3", "Bash", { command }));
  });
  const { page } = window;
  const composer = page.getByRole("textbox", { name: "Message" });
  await composer.fill("Paint the door.");
  await page.getByRole("button", { name: "Send message" }).click();
  await page.getByRole("button", { name: "Stop the agent" }).waitFor();
  await expect.poll(() => asked).toBeGreaterThan(0);
  await composer.fill("In red, please.");
  await page.getByRole("button", { name: "Send now" }).click();
  await page.getByRole("article", { name: "You" }).getByText("In red, please.").waitFor();
  expect(await page.getByRole("list", { name: "Queued messages" }).count()).toBe(0);
  await composer.fill("And the gate.");
  await page.getByRole("button", { name: "Send after this turn" }).first().click();
  await page.getByRole("list", { name: "Queued messages" }).getByText("And the gate.").waitFor();
  goOn();
  await page.getByRole("list", { name: "Queued messages" }).waitFor({ state: "detached" });
  const turns = async () =>
    (await place.events(id)).filter(({ type }) => type === "turn_end").length;
  await expect.poll(turns).toBe(2);
  expect(JSON.stringify(model.requests)).toContain("In red, please.");
  expect(window.problems()).toEqual([]);
  await window.close();
});
