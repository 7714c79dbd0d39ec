import type { Page } from "playwright-core";
import { expect } from "vitest";
import { shows } from "../../support/shows.ts";
import { ANSWER, cardsOf, stateOf } from "../support/answering.ts";
import { browserTests } from "../support/index.ts";
import { type Kind, PROMPTS } from "../support/prompts.ts";

const at = browserTests();
const { approval, questions, form } = PROMPTS;
const KINDS = { approval, questions, form };

/** The card of a prompt that is asked in a session of its own. */
async function asked(page: Page, request: Record<string, unknown>, next?: unknown) {
  const { id } = await at.place.session({ title: "In place" });
  await page.goto(`/#/s/${id}`);
  await page.getByText("A new conversation").waitFor();
  await at.place.ask(request, { sessionId: id, next });
  const card = cardsOf(page);
  await expect.poll(() => stateOf(card)).toBe("pending");
  return card;
}

/** What can be pressed or filled in, in the prompt or around it. */
const controls = (page: Page) =>
  page
    .locator("[data-beckon-card]")
    .locator("button, input, textarea, select")
    .filter({ visible: true });

const AGAIN = {
  questions: { ...questions.request, fieldErrors: { "0": "There is none." } },
  form: {
    ...form.request,
    inputSchema: {
      ...form.request.inputSchema,
      initialValues: { host: "shop.example", copies: 7 },
    },
  },
};

shows("page:reprompt-in-place", "a re-prompt takes the place of the prompt before", async () => {
  const { page } = await at.signIn();
  for (const kind of ["questions", "form"] as const) {
    const reprompt = { ...AGAIN[kind], error: "That did not work." };
    const card = await asked(page, PROMPTS[kind].request, { reprompt });
    const inBlock = () => page.locator("[data-status] [data-beckon-card]").count();
    const before = await inBlock();
    await ANSWER[kind](card);
    await card.getByText("That did not work.").waitFor();
    expect([await stateOf(card), await inBlock()]).toEqual(["pending", before]);
    if (kind === "form") {
      expect(await card.getByLabel("Host").inputValue()).toBe("shop.example");
      expect(await card.getByLabel("Copies").inputValue()).toBe("7");
    } else {
      await card.getByText("There is none.").waitFor();
      expect(await card.getByRole("radio", { name: /^SQLite/ }).isChecked()).toBe(true);
    }
    await ANSWER[kind](card);
    await expect.poll(() => stateOf(card)).toBe("completed");
    expect(await page.getByText("That did not work.", { exact: true }).count()).toBe(0);
  }
});

shows(
  ["page:read-only", "page:summary"],
  "an answered prompt shows what was submitted and takes no more, live and replayed",
  async () => {
    const says = {
      approval: /Allowed \(for this session, if the tool remembers it\)/,
      questions: /Answered.*SQLite.*Lint/s,
      form: /Answered.*shop\.example/s,
    };
    const { page } = await at.signIn();
    for (const [kind, { request }] of Object.entries(KINDS)) {
      const card = await asked(page, request);
      expect(await controls(page).count()).toBeGreaterThan(0);
      await ANSWER[kind as Kind](card);
      for (const reload of [false, true]) {
        if (reload) await page.reload();
        await expect.poll(() => stateOf(card)).toBe("completed");
        const folded = card.locator("summary", { hasText: "What was answered" });
        if ((await folded.count()) > 0) await folded.click();
        expect(await card.innerText()).toMatch(says[kind as keyof typeof says]);
        expect(await controls(page).count(), await card.innerText()).toBe(0);
      }
    }
  },
);

shows(
  "page:tool-error",
  "a call that fails after the answer shows why, and nothing to answer",
  async () => {
    const fail = { code: "tool_error", message: "The registry said no." };
    const { page } = await at.signIn();
    const card = await asked(page, approval.request, { fail });
    await ANSWER.approval(card);
    for (const reload of [false, true]) {
      if (reload) await page.reload();
      const seen = () => page.locator("main").innerText();
      await expect.poll(seen).toMatch(/stage_ask\s+Failed.*The registry said no\. \(tool_error\)/s);
      expect(await controls(page).count(), await seen()).toBe(0);
    }
  },
);

shows("page:late-answer", "a prompt whose call went on is answered where it stands", async () => {
  const { id } = await at.place.session({ title: "Late" });
  const { page } = await at.signIn({ path: `/#/s/${id}` });
  const request = { ...questions.request, timeoutMs: 1_000 };
  const call = { request, onTimeout: { pending: { message: "I go on." } } };
  await at.place.say(id, `/call stage_ask ${JSON.stringify(call)}`);
  const card = cardsOf(page);
  await expect.poll(() => stateOf(card)).toBe("queued");
  await page.getByText("Your answer will reach it as a message").waitFor();
  await ANSWER.questions(card);
  await expect.poll(() => stateOf(card)).toBe("completed");
  await page.getByRole("article", { name: "Your late answer" }).getByText("SQLite").waitFor();
});
