import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cardOf } from "./support/answering.ts";
import { chromiumLaunch } from "./support/chromium.ts";
import { Place } from "./support/place.ts";

/** A name that only this browser knows: what it serves did not come from the same machine. */
const NAME = "beckon.test";
let place: Place;
let browser: Browser;

beforeAll(async () => {
  place = await Place.start(undefined, "--allow-host", NAME);
  const { args, ...launch } = await chromiumLaunch();
  const resolve = `--host-resolver-rules=MAP ${NAME} 127.0.0.1`;
  browser = await chromium.launch({ ...launch, args: [...args, resolve] });
});
afterAll(async () => {
  await browser.close();
  await place.stop();
});

test("over plain HTTP by a name people sign in, write, answer and copy", async () => {
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  const { id } = await place.session();
  const { port } = new URL(place.url);
  await page.goto(`http://${NAME}:${port}/`);
  await page.getByRole("button", { name: "Copy beckon open" }).click();
  await page.getByText("Copied", { exact: true }).waitFor();
  await page.goto("about:blank");
  await page.goto(`http://${NAME}:${port}/#code=${await place.signInCode()}`);
  await page.getByText("Agents ask, you answer").first().waitFor();
  expect(await page.evaluate("isSecureContext")).toBe(false);

  await page.goto(`http://${NAME}:${port}/#/s/${id}`);
  await page.getByRole("textbox").first().fill('/call bash {"command":"echo from afar"}');
  await page.getByRole("button", { name: "Send message" }).click();
  await cardOf(page).getByRole("button", { name: "Allow once" }).click();
  await page.getByText('"exitCode":0').first().waitFor();

  const composer = page.getByRole("textbox").first();
  await composer.focus();
  await page.keyboard.press("Control+V");
  await expect.poll(() => composer.inputValue()).toBe("beckon open");
  expect(errors).toEqual([]);
});
