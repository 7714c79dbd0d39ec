import { expect, test } from "vitest";
import { byDepth } from "../../support/depth.ts";
import { cardOf, cardsOf } from "../support/answering.ts";
import { browserTests } from "../support/index.ts";
import { endedOnce, holds, KINDS, send } from "./kinds.ts";

const at = browserTests();

async function asking(name: string) {
  const kind = KINDS[name]!;
  const { id } = await at.place.session({ title: name });
  const window = await at.signIn({ path: `/#/s/${id}` });
  await send(window.page, kind.message);
  await cardsOf(window.page).first().waitFor();
  await kind.begin(window.page);
  return { window, kind, id, card: cardOf(window.page) };
}

const NAMES = byDepth({
  quick: ["gate", "form"],
  usual: ["gate", "form"],
  deep: ["gate", "questions", "form"],
});

for (const name of NAMES) {
  test(`the answer to a ${name} whose confirmation is lost is sent again, and counts once`, async () => {
    const { window, kind, id, card } = await asking(name);
    window.goDeaf();
    await kind.finish(window.page);
    await endedOnce(at.place, id, kind);
    await window.goOffline();
    expect(await card.getAttribute("data-state")).toBe("submitting");
    await card.getByText("sent as soon as it is back").waitFor();
    await window.goOnline();
    await holds(() => card.getAttribute("data-state"), "completed");
    await endedOnce(at.place, id, kind);
  });

  test(`the answer to a ${name} that is given without a network arrives with it, once`, async () => {
    const { window, kind, id, card } = await asking(name);
    await window.goOffline();
    await kind.finish(window.page);
    await card.getByText("sent as soon as it is back").waitFor();
    expect(await at.place.waiting(id)).toHaveLength(1);
    await window.goOnline();
    await holds(() => card.getAttribute("data-state"), "completed");
    await endedOnce(at.place, id, kind);
  });
}

test("an answer that was given without a network and came too late is told so, and by whom", async () => {
  const { window, kind, id, card } = await asking("gate");
  await window.goOffline();
  await kind.finish(window.page);
  await card.getByText("sent as soon as it is back").waitFor();
  const ada = await at.signIn({ person: "Ada", path: `/#/s/${id}` });
  await ada.page.getByRole("button", { name: "Deny", exact: true }).click();
  await ada.sees("Denied");
  await window.goOnline();
  await window.sees("Denied on another device by Ada");
  const events = await at.place.events(id);
  expect(events.filter(({ type }) => type === "interaction_response")).toHaveLength(1);
});

test("a message that was sent into a lost network is sent once when it is back", async () => {
  const { id } = await at.place.session();
  const window = await at.signIn({ path: `/#/s/${id}` });
  window.goDeaf();
  await send(window.page, "only once");
  await expect.poll(async () => (await at.place.events(id)).length).toBeGreaterThan(0);
  await window.goOffline();
  await window.goOnline();
  await window.sees("You wrote:");
  const messages = (await at.place.events(id)).filter(({ type }) => type === "user_message");
  expect(messages).toHaveLength(1);
  const composer = window.page.getByRole("textbox", { name: "Message" });
  await holds(() => composer.inputValue(), "");
});
