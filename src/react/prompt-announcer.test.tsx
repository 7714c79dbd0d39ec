import { act } from "@testing-library/react";
import { expect, test } from "vitest";
import { prompt, response } from "../../test/components/prompts.ts";
import { freshPage, show } from "../../test/components/show.tsx";
import type { InteractionRecord } from "../protocol/index.ts";
import { InteractionCard, PromptAnnouncer, toInteractionView } from "./index.ts";

freshPage();

const record = (part: Partial<InteractionRecord> = {}): InteractionRecord => ({
  id: "prompt-1",
  sessionId: "s1",
  toolCallId: "call-1",
  toolName: "Bash",
  status: "pending",
  waiting: "live",
  request: prompt({ interactionType: "approval", toolInput: { command: "ls" } }).request,
  createdAt: "2030-01-01T00:00:00.000Z",
  ...part,
});
const DENIED = { status: "answered", response: response({ action: "deny" }) } as const;
const page = (one?: InteractionRecord) => (
  <>
    <PromptAnnouncer />
    {one && <InteractionCard sessionId="s1" interaction={toInteractionView(one)} />}
  </>
);

test("what ends while its card is away is announced, once", () => {
  const { transport, now, announced } = show(page());
  act(() => transport.list());
  act(() => transport.update(record()));
  expect(announced()).toBe("Permission needed: Run this command?");
  now(page(record()));
  now(page());
  act(() => transport.update(record(DENIED)));
  const both =
    "Permission needed: Run this command?Run this command?: Denied on another device by Ann";
  expect(announced()).toBe(both);
  now(page(record(DENIED)));
  act(() => transport.update(record(DENIED)));
  expect(announced()).toBe(both);
});

test("what a card has said is not said again", () => {
  const { transport, now, announced } = show(page(record()));
  act(() => transport.list(record()));
  act(() => transport.update(record()));
  now(page(record(DENIED)));
  act(() => transport.update(record(DENIED)));
  expect(announced().match(/Permission needed/g)?.length).toBe(1);
  expect(announced().match(/Denied/g)?.length).toBe(1);
});

test("what was open before anybody came is no news, its end is", () => {
  const { transport, announced } = show(page());
  act(() => transport.list(record()));
  expect(announced()).toBe("");
  act(() => transport.update(record({ status: "timed_out" })));
  expect(announced()).toBe("Run this command?: Nobody answered in time");
});

test("what had ended before it was known is not announced", () => {
  const { transport, announced } = show(page());
  act(() => transport.list());
  act(() => transport.update(record(DENIED)));
  expect(announced()).toBe("");
});

test("what came and went while the line was down is told when it is back", async () => {
  const { transport, announced, pass } = show(page());
  act(() => transport.list(record()));
  transport.script("interaction", record(DENIED));
  act(() =>
    transport.list(record({ id: "prompt-2", request: prompt({ prompt: "Why?" }).request })),
  );
  await pass(0);
  expect(announced()).toBe("Answer needed: Why?Run this command?: Denied on another device by Ann");
});

test("what is gone with its session is gone without a word", async () => {
  const { transport, announced, pass } = show(page());
  act(() => transport.list(record()));
  act(() => transport.list());
  await pass(0);
  expect(transport.argumentsOf("interaction")).toEqual([["prompt-1"]]);
  expect(announced()).toBe("");
});
