import { expect, test } from "vitest";
import { browserTests } from "./support/index.ts";

const at = browserTests();

test("a page whose server is killed and started again goes on with the same prompt", async () => {
  const { id } = await at.place.session({ title: "Survives" });
  const { page } = await at.signIn({ path: `/#/s/${id}` });
  const composer = page.getByRole("textbox").first();
  await composer.fill('/call bash {"command":"echo still here"}');
  await composer.press("Enter");
  await page.getByRole("button", { name: "Allow once" }).waitFor();
  await at.place.restart("SIGKILL");
  await page.getByRole("button", { name: "Allow once" }).click();
  await page.getByText('"exitCode":0').first().waitFor();
  const events = await at.place.events(id);
  expect(events.filter(({ type }) => type === "interaction_response")).toHaveLength(1);
});
