import { expect, test } from "vitest";
import { browserTests } from "../support/index.ts";

const at = browserTests();

const lines = Array.from(
  { length: 60 },
  (_, n) => `  const value${n} = compute(${n}, "as long as a line of code often is, and longer");`,
);
const toolInput = {
  file_path: "/srv/app/src/compute.ts",
  old_string: lines.join("\n"),
  new_string: lines.with(10, "  const ten = 10;").with(50, "  const fifty = 50;").join("\n"),
};

test("on a phone a change scrolls sideways inside itself, and its unchanged lines unfold", async () => {
  const { id } = await at.place.session({ title: "A change" });
  await at.place.post("/api/interactions", {
    sessionId: id,
    type: "approval",
    toolName: "Edit",
    toolInput,
  });
  const { page } = await at.signIn({ viewport: "phone", path: `/#/s/${id}` });
  const change = page.getByRole("group", { name: "Change", exact: true });
  await change.getByText("33 unchanged lines").waitFor();
  expect(await change.getByRole("deletion").count()).toBe(2);
  expect(await change.evaluate((box) => box.scrollWidth > box.clientWidth)).toBe(true);
  const whole = page.getByRole("group", { name: "What will run" });
  expect(await whole.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(
    true,
  );
  const allow = page.getByRole("button", { name: "Allow once" });
  expect(await allow.isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Go to the end" }).click();
  await expect.poll(() => allow.isEnabled()).toBe(true);
  await change.getByText("33 unchanged lines").click();
  await change.getByText("const value30 =").waitFor();
});
