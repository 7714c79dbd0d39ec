import { expect, test } from "vitest";
import { browserTests } from "../support/index.ts";
import { Board } from "./board.ts";

const at = browserTests();

/** How many answers a session's log has. */
async function answers({ sessionId }: Board): Promise<number> {
  const events = await at.place.events(sessionId);
  return events.filter(({ type }) => type === "interaction_response").length;
}

test("a prompt that waits says so, an answer without a connection is held and says so, and is shown as given once it is sent", async () => {
  const board = await Board.open(at);
  await board.waits();
  await board.saidThatItOpened();
  await board.looksTheSameAfterReload();
  await board.isAccessible();

  await board.window.goOffline();
  await board.answerAll("submitting");
  await board.shows("submitting", /no connection.*sent as soon as it is back/s);
  await board.isAccessible();

  await board.window.goOnline();
  const says = {
    approval: /Allowed \(for this session, if the tool remembers it\)/,
    choice: /Allowed: This file/,
    questions: /Answered.*SQLite.*Lint/s,
    form: /Answered.*shop\.example/s,
    link: /Answered/,
  };
  await board.shows("completed", says);
  await board.saidHowItEnded({ ...says, questions: /Answered/, form: /Answered/ });
  expect(await answers(board)).toBe(5);
  await board.looksTheSameAfterReload();
  await board.isAccessible();
});

test("with interactive mode off a prompt can be read, enabled and then answered", async () => {
  const board = await Board.open(at);
  const { page } = board.window;
  await page.getByText("Connected").click();
  await page.getByRole("switch", { name: /Answer prompts here/ }).click();
  await board.shows("read_only", /Answering here is off: enable it to respond/);
  await board.saidThatItOpened();
  await board.looksTheSameAfterReload();
  await board.isAccessible();
  // Every question can be read; the last one has the button that would send.
  await board.card("questions").getByRole("button", { name: "Checks" }).click();
  for (const name of ["Allow once", "This file", "Submit", "Deploy", "Done"]) {
    const button = page.getByRole("button", { name });
    expect([name, await button.isDisabled()]).toEqual([name, true]);
  }
  // And so can the input, to its end.
  const input = page.getByRole("group", { name: /What (will|would) run/ }).first();
  const left = await input.evaluate((box) => {
    box.scrollTop = box.scrollHeight;
    return box.scrollHeight - box.clientHeight - box.scrollTop;
  });
  expect(left).toBeLessThan(2);

  await page.getByRole("button", { name: "Enable" }).first().click();
  await board.waits();
  await board.answerAll();
  expect(await answers(board)).toBe(5);
});
