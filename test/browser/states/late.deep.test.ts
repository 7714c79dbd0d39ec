import { expect, test } from "vitest";
import { browserTests } from "../support/index.ts";
import { KINDS } from "../support/prompts.ts";
import { Board } from "./board.ts";

const at = browserTests();

/** The answers that came as messages. */
async function lateAnswers(sessionId: string): Promise<unknown[]> {
  const events = await at.place.events(sessionId);
  return events.filter(
    (event) => event.type === "user_message" && event.payload.source === "late_answer",
  );
}

test("a prompt that outlived its call on purpose says that the answer comes as a message, and it does", async () => {
  const board = await Board.open(at, {
    request: { timeoutMs: 2_000 },
    onTimeout: { pending: { message: "I go on." } },
    secrets: false,
  });
  await board.shows("queued", /The agent did not wait. Your answer will reach it as a message/);
  expect(await board.window.page.getByRole("timer").count(), "time left").toBe(0);
  await board.saidThatItOpened();
  await board.looksTheSameAfterReload();
  await board.isAccessible();
  await board.answerAll();
  await expect.poll(() => lateAnswers(board.sessionId)).toHaveLength(KINDS.length);
  await board.looksTheSameAfterReload();
});

test("a prompt whose run is gone says so, and its answer arrives as a message", async () => {
  const board = await Board.open(at, { tool: "fleeting", secrets: false });
  await board.waits();
  await at.place.restart("SIGKILL");
  await board.shows(
    "orphaned",
    /The run that asked is gone; your answer will be sent as a message/,
  );
  await board.saidThatItOpened();
  await board.looksTheSameAfterReload();
  await board.isAccessible();
  await board.answerAll();
  await expect.poll(() => lateAnswers(board.sessionId)).toHaveLength(KINDS.length);
  await board.window.sees("Late answer");
  await board.looksTheSameAfterReload();
});
