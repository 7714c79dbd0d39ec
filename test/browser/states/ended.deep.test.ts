import { test } from "vitest";
import { browserTests } from "../support/index.ts";
import { Board } from "./board.ts";

const at = browserTests();

test("an answer given elsewhere names what was chosen, and who did", async () => {
  const board = await Board.open(at);
  const ada = await board.another("Ada");
  await ada.answerAll();
  const says = {
    approval:
      /^(?!.*Allowed once).*Allowed \(for this session, if the tool remembers it\) \(Allowed for this session on another device by Ada, if the tool remembers it\)/s,
    choice: /Allowed on another device by Ada: This file/,
    questions: /Answered on another device by Ada.*SQLite.*Lint/s,
    form: /Answered on another device by Ada.*shop\.example/s,
    link: /Answered on another device by Ada/,
  };
  await board.shows("completed_elsewhere", says);
  await board.saidHowItEnded(/on another device by Ada/);
  await board.looksTheSameAfterReload();
  await board.isAccessible();
});

test("a prompt whose time is up says that nobody answered, and not that somebody refused", async () => {
  const board = await Board.open(at, { request: { timeoutMs: 3_000 } });
  await board.shows("timed_out", /Nobody answered in time/);
  await board.shows("timed_out", /^(?!.*(Denied|Refused|another device))/s);
  await board.saidHowItEnded(/Nobody answered in time/);
  await board.looksTheSameAfterReload();
  await board.isAccessible();
});

test("a prompt whose turn is stopped is cancelled", async () => {
  const board = await Board.open(at);
  await board.window.page.getByRole("button", { name: "Stop the agent" }).click();
  await board.shows("cancelled", /Withdrawn before anybody answered/);
  await board.saidHowItEnded(/Withdrawn before anybody answered/);
  await board.looksTheSameAfterReload();
  await board.isAccessible();
});

test("a prompt whose call fails is closed", async () => {
  const board = await Board.open(at, { tool: "fragile" });
  await at.place.call(board.sessionId, "stage/break", { message: "The registry is down." });
  await board.shows("failed", /failed before anybody answered/);
  await board.saidHowItEnded(/failed before anybody answered/);
  await board.looksTheSameAfterReload();
  await board.isAccessible();
});
