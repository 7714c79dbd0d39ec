import { expect, test } from "vitest";
import { browserTests } from "./support/index.ts";

// #region story
const at = browserTests();

test("of two windows the first answer wins, and the other one says what it was", async () => {
  const { id } = await at.place.session({ title: "Two windows" });
  const [one, two] = [
    await at.signIn({ path: `/#/s/${id}` }),
    await at.signIn({ path: `/#/s/${id}` }),
  ];
  const composer = one.page.getByRole("textbox").first();
  await composer.fill('/call bash {"command":"echo from the page"}');
  await composer.press("Enter");
  const allow = { name: "Allow once" };
  await one.sees(one.page.getByRole("button", allow));
  await two.page.getByRole("button", allow).click();
  await two.sees('"exitCode":0');
  await one.sees("Allowed once on another device by Owner");
  expect(await one.page.getByRole("button", allow).count()).toBe(0);
});
// #endregion story

test("a form that is half filled in is still there after a reload, and can be sent", async () => {
  const { id } = await at.place.session({ title: "Drafts" });
  const { page } = await at.signIn({ path: `/#/s/${id}` });
  const composer = page.getByRole("textbox").first();
  await composer.fill('/call ask_user {"question":"Which colour do you like?"}');
  await composer.press("Enter");
  const field = page.getByRole("textbox", { name: "Which colour do you like?" });
  await field.fill("bl");
  await page.reload();
  await expect.poll(() => field.inputValue()).toBe("bl");
  await field.fill("blue");
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByText('"answer":"blue"', { exact: false }).first().waitFor();
});
