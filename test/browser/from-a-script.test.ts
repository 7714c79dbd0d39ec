import { expect, test } from "vitest";
import { beckonCommandWith } from "../process/server-process.ts";
import { cardOf, choose, isNoLongerFresh, submit } from "./support/answering.ts";
import { browserTests } from "./support/index.ts";

const at = browserTests({ fresh: true });

const beckon = (...args: string[]) => beckonCommandWith({ BECKON_DATA: at.place.data }, ...args);

test("what a script asks is answered in the page, and the script goes on with that", async () => {
  const window = await at.signIn({ path: "/#/inbox" });
  const { page } = window;

  const asked = beckon("ask", "Which name?");
  const question = cardOf(page, "Which name?");
  // The question stands there once: as the title of its card, and of the field for who cannot see.
  await window.sees(question);
  await question.getByRole("textbox", { name: "Which name?" }).fill("Ada");
  await submit(question);
  expect(await asked).toMatchObject({ code: 0, stdout: "Ada\n" });

  const chosen = beckon("choose", "Which parts?", "core", "the web", "docs", "--multi");
  const choice = cardOf(page, "Which parts?");
  await choose(choice, "core", "the web");
  await window.isAccessible();
  await submit(choice);
  expect(await chosen).toMatchObject({ code: 0, stdout: "core\nthe web\n" });

  const confirmed = beckon("confirm", "Deploy 1.2.0?", "--name", "deploy");
  const approval = cardOf(page, "Deploy 1.2.0?");
  await window.sees(approval.getByText("Allow deploy?"));
  await isNoLongerFresh(approval);
  await approval.getByRole("button", { name: "Allow once" }).click();
  expect((await confirmed).code).toBe(0);
});
