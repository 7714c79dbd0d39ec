import { expect, test } from "vitest";
import { ANSWER, cardOf } from "../support/answering.ts";
import { browserTests } from "../support/index.ts";

const at = browserTests({ fresh: true });

test("what was allowed for a session is listed and can be taken back: the next call asks again", async () => {
  const { id } = await at.place.session({ title: "Cleaning up" });
  const window = await at.signIn({ path: "/#/allowed" });
  const { page } = window;
  await page.getByText("Nothing is allowed in advance").waitFor();
  const run = () => at.place.say(id, '/call bash {"command":"true"}');
  await run();
  await page.goto(`/#/s/${id}`);
  await ANSWER.approval(cardOf(page));
  await page.getByRole("link", { name: "Allowed" }).click();
  const row = page.getByRole("list", { name: "Allowed calls" }).getByRole("listitem");
  await row.getByText("In Cleaning up").waitFor();
  expect(await row.innerText()).toMatch(/^bash\n.*true.* by Owner/s);
  await window.noViolations();

  await row.getByRole("button", { name: "Revoke bash" }).click();
  await page.getByText("Nothing is allowed in advance").waitFor();
  await run();
  await expect.poll(async () => (await at.place.waiting(id)).length).toBe(1);
});
