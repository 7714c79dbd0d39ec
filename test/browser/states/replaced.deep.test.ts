import { expect, test } from "vitest";
import { browserTests } from "../support/index.ts";
import type { Kind } from "../support/prompts.ts";
import { Board, requestOf } from "./board.ts";

const at = browserTests();

const FIELD_ERRORS: Partial<Record<Kind, Record<string, string>>> = {
  questions: { "0": "SQLite is not there." },
  form: { host: "Nobody knows that host." },
};

const again = (kind: Kind) => ({
  reprompt: {
    ...requestOf(kind, true),
    error: "That did not work, try again.",
    ...(FIELD_ERRORS[kind] && { fieldErrors: FIELD_ERRORS[kind] }),
  },
});

test("a prompt that is asked again takes the place of the one before, with its error and the values", async () => {
  const board = await Board.open(at, { next: again });
  await board.answerAll("pending");
  await board.shows("pending", {
    approval: /That did not work, try again\./,
    choice: /That did not work, try again\./,
    questions: /That did not work, try again\..*SQLite is not there\./s,
    form: /That did not work, try again\..*Nobody knows that host\./s,
    link: /That did not work, try again\./,
  });
  const [questions, form] = [board.card("questions"), board.card("form")];
  const host = form.getByLabel("Host");
  const kept = async () => [
    await host.inputValue(),
    await questions.getByRole("radio", { name: /^SQLite/ }).isChecked(),
  ];
  expect(await kept()).toEqual(["shop.example", true]);
  expect(await host.getAttribute("aria-invalid")).toBe("true");
  await board.looksTheSameAfterReload();
  expect(await kept()).toEqual(["shop.example", true]);
  await board.isAccessible();
  await board.answerAll();
  await board.looksTheSameAfterReload();
  const events = await at.place.events(board.sessionId);
  expect(events.filter(({ type }) => type === "interaction_response")).toHaveLength(10);
});
