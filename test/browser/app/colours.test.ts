import type { Locator } from "playwright-core";
import { expect } from "vitest";
import { shows } from "../../support/shows.ts";
import { ANSWER, cardsOf, stateOf } from "../support/answering.ts";
import { browserTests } from "../support/index.ts";
import { PROMPTS } from "../support/prompts.ts";

const at = browserTests();

/** In degrees: amber is between orange and yellow, emerald between green and cyan. */
const AMBER = [25, 50] as const;
const EMERALD = [140, 170] as const;

/** The hue of a colour of an element; none where it is grey. */
async function hueOf(element: Locator, property: string): Promise<number | undefined> {
  const colour = await element.evaluate(
    (one, name) => getComputedStyle(one).getPropertyValue(name),
    property,
  );
  const [red = 0, green = 0, blue = 0] = colour.match(/[\d.]+/g)?.map(Number) ?? [];
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  if (most === least) return undefined;
  const sixth = (from: number, to: number) => (from - to) / (most - least);
  const sixths =
    most === red
      ? sixth(green, blue)
      : most === green
        ? 2 + sixth(blue, red)
        : 4 + sixth(red, green);
  return Math.round((sixths * 60 + 360) % 360);
}

async function expectHue(
  element: Locator,
  property: string,
  [from, to]: readonly [number, number],
) {
  const within = async () => {
    const hue = await hueOf(element, property);
    return hue !== undefined && hue >= from && hue <= to ? "as wanted" : `${property}: hue ${hue}`;
  };
  await expect.poll(within).toBe("as wanted");
}

shows(
  "card:colours",
  "amber while it waits, emerald when it is done, and words for both",
  async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const { id } = await at.place.session({ title: "Colours" });
      const { page } = await at.signIn({ path: `/#/s/${id}`, colorScheme, reducedMotion: true });
      await at.place.ask(PROMPTS.questions.request, { sessionId: id });
      const card = cardsOf(page);
      await card.getByText("Waiting for your answer").waitFor();
      await expectHue(card, "border-top-color", AMBER);
      await expectHue(card.getByText("Waiting for your answer"), "color", AMBER);
      await ANSWER.questions(card);
      await expect.poll(() => stateOf(card)).toBe("completed");
      await expectHue(card, "border-top-color", EMERALD);
      await expectHue(card, "background-color", EMERALD);
      await expectHue(card.getByText("Answered", { exact: true }), "color", EMERALD);

      // The block around a card says and shows in its place that it waits.
      await at.place.ask(PROMPTS.approval.request, { sessionId: id });
      const block = page.locator("[data-status]").last();
      await expectHue(block, "border-top-color", AMBER);
      await expectHue(block.getByText("Waiting for your answer"), "color", AMBER);
      await ANSWER.approval(block.locator("[data-beckon-card]"));
      await expectHue(
        block.getByText("allowed (for this session, if the tool remembers it)").first(),
        "color",
        EMERALD,
      );
    }
  },
);
