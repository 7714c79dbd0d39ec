import { expect, test } from "vitest";
import { cardsOf, isNoLongerFresh, stateOf, textOf } from "../support/answering.ts";
import { browserTests } from "../support/index.ts";

const at = browserTests();

/** Lets the demo agent call a tool that must be approved with its whole input. */
async function gated(input: object) {
  const { id } = await at.place.session();
  const window = await at.signIn({ path: `/#/s/${id}` });
  await at.place.say(id, `/call stage_gated ${JSON.stringify(input)}`);
  const card = cardsOf(window.page).first();
  await window.sees(card);
  return { id, window, card };
}

test("what cannot be seen in something to approve is shown as an escape", async () => {
  const hidden = {
    tab: "\u0007",
    right: "\u202E",
    zero: "\u200B",
    tag: "\u{E0041}",
    nbsp: "\u00A0",
  };
  const { window, card } = await gated({
    command: `rm ${hidden.right}cod.txt${hidden.zero} ${hidden.tab}`,
    note: `${hidden.tag}${hidden.nbsp}`,
  });
  const shown = await window.page.getByRole("region", { name: "Conversation" }).innerText();
  const said = await card.getByRole("group", { name: "What will run" }).innerText();
  for (const escape of ["\\u{202E}", "\\u{200B}", "\\u{7}", "\\u{E0041}", "\\u{A0}"]) {
    expect(said).toContain(escape);
  }
  for (const [name, character] of Object.entries(hidden)) {
    expect([name, said.includes(character)]).toEqual([name, false]);
  }
  // The block's head and the card; the message above them is what a person wrote.
  expect(shown).toContain("\\u{202E}cod.txt");
});

test("a long input must be read to its end before it can be approved; denying needs nothing", async () => {
  const lines = Array.from({ length: 3_000 }, (_, line) => `echo step ${line}`);
  for (const decision of ["Allow once", "Deny"]) {
    const { id, window, card } = await gated({ command: lines.join("\n") });
    const { page } = window;
    const approve = card.getByRole("button", { name: "Allow once" });
    await window.sees("There is more below.");
    // Denying works as soon as the card is there; approving not even when it is no longer fresh.
    if (decision === "Deny") {
      await card.getByRole("button", { name: "Deny", exact: true }).click();
      await expect.poll(() => textOf(card)).toContain("Denied");
      continue;
    }
    await isNoLongerFresh(card);
    await card.focus();
    await page.keyboard.press("Control+Enter");
    expect([await approve.isDisabled(), await stateOf(card)]).toEqual([true, "pending"]);
    const box = card.getByRole("group", { name: "What will run" });
    await box.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
    await window.sees("There is more below.");
    expect(await approve.isDisabled()).toBe(true);
    await card.getByRole("button", { name: "Go to the end" }).click();
    expect(await box.innerText()).toContain("echo step 2999");
    await window.doesNotSee("There is more below.");
    await approve.click();
    await expect.poll(() => stateOf(card)).toBe("completed");
    const events = await at.place.events(id);
    expect(events.filter(({ type }) => type === "interaction_response")).toHaveLength(1);
  }
});
