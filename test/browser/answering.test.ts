import { afterAll, beforeAll, expect, test } from "vitest";
import { BrowserHouse } from "./house.ts";

let house: BrowserHouse;
beforeAll(async () => {
  house = await BrowserHouse.open();
});
afterAll(() => house.close());

async function newSession(): Promise<string> {
  const response = await fetch(`${house.url}/api/sessions`, {
    method: "POST",
    headers: { authorization: `Bearer ${house.token}`, "content-type": "application/json" },
    body: JSON.stringify({ title: "Two windows" }),
  });
  return ((await response.json()) as { id: string }).id;
}

test("of two windows the first answer wins, and the other one says what it was", async () => {
  const session = await newSession();
  const [one, two] = [await house.page(`#/s/${session}`), await house.page(`#/s/${session}`)];
  const composer = one.getByRole("textbox").first();
  await composer.fill('/call bash {"command":"echo from the page"}');
  await composer.press("Enter");
  await one.getByRole("button", { name: "Allow once" }).waitFor();
  await two.getByRole("button", { name: "Allow once" }).click();
  await two.getByText('"exitCode":0').first().waitFor();
  await one
    .getByText(/allowed|approved/i)
    .first()
    .waitFor();
  expect(await one.getByRole("button", { name: "Allow once" }).count()).toBe(0);
  expect(house.complaints).toEqual([]);
});

test("a form that is half filled in is still there after a reload, and can be sent", async () => {
  const session = await newSession();
  const page = await house.page(`#/s/${session}`);
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
  expect(house.complaints).toEqual([]);
});
