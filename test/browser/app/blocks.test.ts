import type { Page } from "playwright-core";
import { expect } from "vitest";
import { shows } from "../../support/shows.ts";
import { ANSWER, cardsOf, stateOf } from "../support/answering.ts";
import { browserTests } from "../support/index.ts";
import { type Kind, PROMPTS } from "../support/prompts.ts";
import type { Window } from "../support/window.ts";

const at = browserTests();
const { approval, questions, form } = PROMPTS;

/** A new session, in a window that is at hand or in a new one. */
async function chat(window?: Window) {
  const { id } = await at.place.session({ title: "Blocks" });
  const { page } = window ?? (await at.signIn());
  await page.goto(`/#/s/${id}`);
  await page.getByText("A new conversation").waitFor();
  return { id, page };
}

/** The blocks of calls, each with the card in it if there is one. */
const blocksOf = (page: Page) => page.locator("[data-status]");

shows(
  ["page:tool-block", "view:waiting-block"],
  "a prompt stands in its tool's block, which says that it waits, and then what the tool returned",
  async () => {
    const { id, page } = await chat();
    for (const [kind, { request }] of Object.entries({ approval, form })) {
      await at.place.ask(request, { sessionId: id });
      const block = blocksOf(page).filter({ has: page.locator("[data-state=pending]") });
      await block.getByRole("button", { name: /stage_ask.*Waiting for your answer/ }).waitFor();
      expect(await cardsOf(page).count(), await page.locator("main").innerText()).toBe(
        await blocksOf(page).locator("[data-beckon-card]").count(),
      );
      await ANSWER[kind as Kind](block.locator("[data-beckon-card]"));
      await expect.poll(() => blocksOf(page).last().innerText()).toMatch(/Result/);
    }
    const texts = await blocksOf(page).allInnerTexts();
    expect(texts.join("\n")).not.toContain("Waiting for your answer");
    expect(texts[0]).toMatch(
      /Allowed \(for this session, if the tool remembers it\).*Result.*"action": "approve"/s,
    );
    expect(texts[1]).toMatch(/Answered.*Result.*"host": "shop\.example"/s);
  },
);

shows(
  "card:by-kind",
  "questions, approvals, forms and plain calls are each drawn as such",
  async () => {
    const { id, page } = await chat();
    const asking = (request: object) => `stage_ask ${JSON.stringify({ request })}`;
    const calls = [approval, questions, form].map(({ request }) => asking(request));
    await at.place.say(id, `/parallel ${['stage_print {"result":1}', ...calls].join(" | ")}`);
    await expect.poll(() => cardsOf(page).count()).toBe(3);
    const drawn = () =>
      page.locator("[data-status], [data-beckon-card]").evaluateAll((all) =>
        all.map((one) => {
          const kind = one.getAttribute("data-beckon-card") ?? "block";
          return one.matches("[data-status] *") ? `in it ${kind}` : kind;
        }),
      );
    await expect
      .poll(drawn)
      .toEqual(["block", "block", "in it approval", "question", "block", "in it form"]);
  },
);

shows(
  "view:same-look",
  "a prompt of a call from outside looks and works like an agent's",
  async () => {
    const [one, two] = [await at.signIn(), await at.signIn()];
    for (const [kind, { request }] of Object.entries({ approval, questions, form })) {
      const [agent, outside] = [await chat(one), await chat(two)];
      await at.place.ask(request, { sessionId: agent.id });
      const ended = at.place.call(outside.id, "stage/ask", { request });
      const stories = [agent.page, outside.page];
      const looks: string[][] = [[], []];
      for (const [index, page] of stories.entries()) {
        await page.locator("[data-state=pending]:not([data-fresh])").waitFor();
        looks[index]?.push(await look(page));
        await ANSWER[kind as Kind](cardsOf(page).first());
        await expect.poll(() => stateOf(cardsOf(page).first())).toBe("completed");
        if (kind !== "questions") await blocksOf(page).getByText("Result").waitFor();
        looks[index]?.push(await look(page));
      }
      expect(await ended).toMatchObject({ ok: true });
      expect(new Set(looks[0]).size).toBe(2);
      // But for who asks, and whose words they are.
      const nameless = looks.map((own) =>
        own.map((text) =>
          text
            .replaceAll(/\S.*(?= says)/g, "")
            .replaceAll(/ *- term: Asked by\n *- definition: .*\n/g, ""),
        ),
      );
      expect(nameless[1]).toEqual(nameless[0]);
    }
  },
);

/** What assistive technologies are told of the block and its card, or of the card that stands alone. */
async function look(page: Page): Promise<string> {
  const block = blocksOf(page);
  const whole = (await block.count()) > 0 ? block : cardsOf(page);
  return (await whole.first().ariaSnapshot()).replaceAll(/\b[0-9a-f]{8}-?[0-9a-f-]{20,}\b/g, "ID");
}
