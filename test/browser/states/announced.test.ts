import { expect, test } from "vitest";
import { cardsOf, textOf } from "../support/answering.ts";
import { browserTests } from "../support/index.ts";
import type { Window } from "../support/window.ts";

const at = browserTests();

const heard = (window: Window, words: string) =>
  window.announcements().filter((one) => one.includes(words));

test("prompts that come together are all announced, each once", async () => {
  const { id } = await at.place.session();
  const window = await at.signIn({ path: `/#/s/${id}` });
  const prompts = Array.from({ length: 9 }, (_, number) => `Number ${number}?`);
  const calls = prompts.map(
    (prompt) => `stage_ask ${JSON.stringify({ request: { type: "input", prompt } })}`,
  );
  await window.sees("A new conversation");
  await at.place.say(id, `/parallel ${calls.join(" | ")}`);
  await expect.poll(() => cardsOf(window.page).count()).toBe(9);
  for (const prompt of prompts) await expect.poll(() => heard(window, prompt)).toHaveLength(1);
  // Whoever comes later hears of all of them at once.
  await window.page.reload();
  for (const prompt of prompts) await expect.poll(() => heard(window, prompt)).toHaveLength(2);
  await window.page.getByRole("button", { name: "Stop the agent" }).click();
  for (const prompt of prompts) {
    await expect.poll(() => heard(window, `${prompt}: Withdrawn`)).toHaveLength(1);
  }
});

test("in the inbox a prompt that ends stays while the page does, and says how it ended", async () => {
  const window = await at.signIn({ path: "/#/inbox" });
  const { page } = window;
  const card = (prompt: string) => cardsOf(page).filter({ hasText: prompt });
  const inputSchema = { type: "form", fields: [{ id: "why", type: "text", label: "Why" }] };
  await at.place.ask({ type: "input", prompt: "Answered here?" });
  const there = await at.place.ask({ type: "input", prompt: "Answered there?", inputSchema });
  for (const prompt of ["Answered here?", "Answered there?"]) {
    await expect.poll(() => heard(window, `Answer needed: ${prompt}`)).toHaveLength(1);
  }
  await card("Answered here?").getByRole("button", { name: "Done" }).click();
  await expect.poll(() => heard(window, "Answered here?: Answered")).toHaveLength(1);
  await card("Answered there?").getByLabel("Why").fill("half a thou");
  await at.place.post(`/api/interactions/${there.id}/respond`, { action: "cancel" });
  const end = "Skipped on another device by Owner";
  await expect.poll(() => heard(window, `Answered there?: ${end}`)).toHaveLength(1);
  await expect.poll(() => textOf(card("Answered there?"))).toContain(end);
  await page.getByText("What you had entered, not sent").click();
  await window.sees("half a thou");
  await window.isAccessible();
  await page.goto("/#/");
  await page.goto("/#/inbox");
  await window.sees("Nothing waits for you");
});

test("a prompt that is asked again has the focus, and its error is read out", async () => {
  const { id } = await at.place.session();
  const window = await at.signIn({ path: `/#/s/${id}` });
  const inputSchema = { type: "form", fields: [{ id: "host", type: "text", label: "Host" }] };
  await at.place.ask(
    { type: "input", prompt: "Where to?", inputSchema },
    {
      sessionId: id,
      next: {
        reprompt: {
          type: "input",
          prompt: "Where to?",
          inputSchema,
          error: "That host does not answer.",
          fieldErrors: { host: "Not reachable." },
        },
      },
    },
  );
  const host = window.page.getByLabel("Host");
  await host.fill("nowhere.example");
  await window.page.getByRole("button", { name: "Submit" }).click();
  await window.sees("Not reachable.");
  expect(await cardsOf(window.page).count()).toBe(1);
  expect(await host.inputValue()).toBe("nowhere.example");
  const focused = window.page.locator("[data-beckon-card]:focus-within");
  await expect.poll(() => textOf(focused)).toContain("Not reachable.");
  expect(heard(window, "That host does not answer.")).toHaveLength(1);
  const described = await host.getAttribute("aria-describedby");
  expect(await window.page.locator(`[id="${described}"]`).innerText()).toBe("Not reachable.");
});
