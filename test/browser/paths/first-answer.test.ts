import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { cardOf, cardsOf, choose, submit } from "../support/answering.ts";
import { browserTests } from "../support/index.ts";
import { PROMPTS } from "../support/prompts.ts";
import { shows } from "../../support/shows.ts";
import { endedOnce, holds, KINDS, more, reasonIn } from "./kinds.ts";

const at = browserTests();

/** The owner's window and another one, both at the same prompt. */
async function both(message: string, { person, path }: { person?: string; path?: string } = {}) {
  const { id } = await at.place.session({ title: "Two windows" });
  const address = path ?? `/#/s/${id}`;
  const [owner, other] = await Promise.all([
    at.signIn({ path: address }),
    at.signIn({ path: address, person }),
  ]);
  await at.place.say(id, message);
  for (const { page } of [owner, other]) await cardsOf(page).first().waitFor();
  return { id, owner: owner.page, other: other.page };
}

shows(
  "page:answered-elsewhere",
  "who denies first decides; the other one reads who, how and why, and keeps their own reason",
  async () => {
    const { id, owner, other } = await both(KINDS["gate"]!.message, { person: "Ada" });
    await more(owner, "Edit the input");
    await owner.getByRole("textbox", { name: /what stands here is what runs/ }).fill('{"half":1}');
    await more(owner, "Deny with a reason");
    await reasonIn(owner).fill("Half a thought");
    await more(other, "Deny with a reason");
    await reasonIn(other).fill("Use the staging one");
    await other.getByRole("button", { name: "Deny and send the reason" }).click();
    await owner
      .getByText("Denied on another device by Ada: “Use the staging one”")
      .first()
      .waitFor();
    await other.getByText("Denied by you: “Use the staging one”").first().waitFor();
    expect(await owner.getByRole("button", { name: "Allow once" }).count()).toBe(0);
    await seesUnsent(owner, "Half a thought");
    await seesUnsent(owner, '{"half":1}');
    expect(await responses(id)).toHaveLength(1);
  },
);

shows(
  "page:answered-elsewhere",
  "who answers a question first decides; the other one reads what, and keeps what they chose",
  async () => {
    const { id, owner, other } = await both(KINDS["questions"]!.message, { person: "Ada" });
    await choose(cardOf(owner), "SQLite");
    await KINDS["questions"]!.begin(other);
    await KINDS["questions"]!.finish(other);
    await owner.getByText("Answered on another device by Ada").first().waitFor();
    await cardOf(owner).getByText("PostgreSQL").first().waitFor();
    await cardOf(owner).getByText("Tests, Types").first().waitFor();
    await seesUnsent(owner, "SQLite");
    await endedOnce(at.place, id, KINDS["questions"]!);
  },
);

shows(
  "page:answered-elsewhere",
  "who sends a form first decides; the other one reads what, and keeps what they wrote",
  async () => {
    const { id, owner, other } = await both(KINDS["form"]!.message);
    await owner.getByLabel("Release notes").first().fill("My own words");
    await owner.getByLabel("Password").fill("hunter2");
    await KINDS["form"]!.begin(other);
    await KINDS["form"]!.finish(other);
    await owner.getByText("Answered on another device by Owner").first().waitFor();
    await cardOf(owner).getByText("What was answered").click();
    await cardOf(owner).getByText("shop.example").first().waitFor();
    await seesUnsent(owner, "My own words");
    expect(await owner.locator("body").innerText()).not.toContain("hunter2");
    await endedOnce(at.place, id, KINDS["form"]!);
  },
);

test("in the inbox, too, the other one reads who answered and keeps what they wrote", async () => {
  const prompt = "Which name shall it have?";
  const request = {
    ...PROMPTS.form.request,
    prompt,
    inputSchema: { ...PROMPTS.form.request.inputSchema, title: prompt },
  };
  const { owner, other } = await both(`/call stage_ask ${JSON.stringify({ request })}`, {
    person: "Ada",
    path: "/#/inbox",
  });
  const mine = cardOf(owner, prompt);
  await mine.getByLabel("Release notes").first().fill("My own words");
  await cardOf(other, prompt).getByLabel("Host").fill("shop.example");
  await submit(cardOf(other, prompt));
  await mine.getByText("Answered on another device by Ada").waitFor();
  await seesUnsent(owner, "My own words");
});

test("two answers at the same moment: one is kept, and both windows tell the same", async () => {
  const { id, owner, other } = await both(KINDS["gate"]!.message, { person: "Ada" });
  const allow = owner.getByRole("button", { name: "Allow once" });
  await holds(() => allow.isEnabled(), true);
  const buttons = [
    await allow.elementHandle(),
    await other.getByRole("button", { name: "Deny", exact: true }).elementHandle(),
  ];
  await Promise.all(
    buttons.map((button) => button?.evaluate((one) => (one as HTMLElement).click())),
  );
  await expect.poll(async () => (await responses(id)).length).toBe(1);
  const [response] = await responses(id);
  const [winner, loser, words] =
    response?.action === "approve"
      ? [owner, other, "Allowed once on another device by Owner"]
      : [other, owner, "Denied on another device by Ada"];
  await loser.getByText(words).first().waitFor();
  await holds(() => cardOf(winner).getAttribute("data-state"), "completed");
  expect(await responses(id)).toHaveLength(1);
});

/** It is folded, so that what counts stands first. */
async function seesUnsent(page: Page, text: string): Promise<void> {
  const unsent = page.locator("details").filter({ hasText: "What you had entered, not sent" });
  if ((await unsent.getAttribute("open")) === null) await unsent.locator("summary").click();
  await unsent.getByText(text).first().waitFor();
}

async function responses(sessionId: string) {
  const events = await at.place.events(sessionId);
  return events.flatMap((event) => (event.type === "interaction_response" ? [event.payload] : []));
}
