import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { browserTests } from "../support/index.ts";
import type { Window } from "../support/window.ts";

/** Claude Code is there, and looks like nothing more than a command; the others are not. */
const at = browserTests({
  fresh: true,
  prepare(data) {
    const command = join(data, "claude");
    writeFileSync(command, "#!/bin/sh\n", { mode: 0o755 });
    const agents = {
      claude: { sdkPath: "/nowhere/sdk.mjs" },
      "claude-cli": { command },
      codex: { command: "/nowhere/codex" },
    };
    writeFileSync(join(data, "settings.json"), JSON.stringify({ agents }));
  },
});

const dialogOf = ({ page }: Window) => page.getByRole("dialog", { name: "New session" });
async function choose(window: Window) {
  await window.page.getByRole("button", { name: "New session with a choice" }).first().click();
  const dialog = dialogOf(window);
  await dialog.getByRole("combobox", { name: "Agent", exact: true }).waitFor();
  return dialog;
}

test("an agent that is not installed cannot be chosen, and says how to get it", async () => {
  const window = await at.signIn();
  const dialog = await choose(window);
  const options = dialog.getByRole("combobox", { name: "Agent", exact: true }).locator("option");
  const shown = () =>
    options.evaluateAll((all) =>
      all.map((one) => `${one.textContent}${(one as HTMLOptionElement).disabled ? " -" : ""}`),
    );
  await expect
    .poll(shown)
    .toEqual(["Demo", "Claude (not installed) -", "Claude Code", "Codex (not installed) -"]);
  await dialog.getByText("2 are not installed").click();
  await dialog
    .getByText(
      "Codex needs the Codex CLI, which is not installed here. Install it with: npm install -g @openai/codex",
    )
    .waitFor();
  await dialog.getByRole("button", { name: "Copy the command" }).first().waitFor();
  await window.isAccessible();
});

test("agent, folder and model of the last session are those of the next, for this person alone", async () => {
  const window = await at.signIn();
  const { page } = window;
  const dialog = await choose(window);
  await dialog.getByRole("combobox", { name: "Agent", exact: true }).selectOption("claude-cli");
  await dialog.getByLabel("How it asks").selectOption({ label: "Plan first" });
  await dialog.getByLabel("Folder").fill("/srv/shop");
  await dialog.getByLabel("Model").fill("opus");
  await dialog.getByRole("button", { name: "Start" }).click();
  await dialog.waitFor({ state: "hidden" });

  await page.reload();
  await window.sees("With Claude Code · /srv/shop · opus");
  await page.getByRole("button", { name: "New session", exact: true }).first().click();
  const sessions = async () => (await at.place.get("/api/sessions")).sessions;
  await expect.poll(async () => (await sessions()).length).toBe(2);
  const same = { agent: "claude-cli", cwd: "/srv/shop", model: "opus" };
  expect((await sessions())[0]).toMatchObject({ ...same, permissionMode: "default" });
  expect((await sessions())[1]).toMatchObject({ ...same, permissionMode: "plan" });

  const again = await choose(window);
  await expect
    .poll(() => again.getByRole("combobox", { name: "Agent", exact: true }).inputValue())
    .toBe("claude-cli");
  expect(await again.getByLabel("Folder").inputValue()).toBe("/srv/shop");
  expect(await again.getByLabel("Model").inputValue()).toBe("opus");
  await again.getByRole("combobox", { name: "Agent", exact: true }).selectOption("demo");
  expect(await again.getByLabel("Model").count()).toBe(0);

  const other = await at.signIn({ person: "Ada" });
  await other.page.getByRole("button", { name: "New session", exact: true }).first().waitFor();
  expect(await other.page.getByText("With Claude Code").count()).toBe(0);
});

test("a last agent that is not installed any more is the server's to choose", async () => {
  const window = await at.signIn();
  const { page } = window;
  const stored = JSON.stringify({ agent: "codex", cwd: "/srv/shop" });
  await page.evaluate((text) => localStorage.setItem("beckon:owner:last-session", text), stored);
  await page.reload();
  await page.getByRole("button", { name: "New session", exact: true }).first().click();
  await window.sees("A new conversation");
  const { sessions } = await at.place.get("/api/sessions");
  expect(sessions[0]).toMatchObject({ agent: "demo" });
  expect(sessions[0]).not.toHaveProperty("cwd");
});
