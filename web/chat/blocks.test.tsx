import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { BlockView } from "../../src/client/index.ts";
import { MyId } from "../personal.tsx";
import { Message } from "./blocks.tsx";

type MessageBlock = Extract<BlockView, { kind: "message" }>;

function show(more: Partial<MessageBlock>) {
  const at = "2026-11-18T10:00:00.000Z";
  const base = { kind: "message", id: "e1", at, text: "Hello", messageId: "m1" } as const;
  const block: MessageBlock = { ...base, source: "user", queued: false, ...more };
  render(
    <MyId value="me">
      <Message block={block} sessionId="s1" />
    </MyId>,
  );
  return screen.getByRole("article");
}

test("a program's message is shown as the program's, by its name", () => {
  const message = show({ sender: { id: "m", name: "deploy\u202etoob", kind: "machine" } });
  expect(message.getAttribute("aria-label")).toBe("Program “deploy\\u{202E}toob”");
  expect(message.textContent).toContain("Program “deploy\\u{202E}toob”");
});

test("one's own message is shown as one's own", () => {
  expect(
    show({ sender: { id: "me", name: "Owner", kind: "person" } }).getAttribute("aria-label"),
  ).toBe("You");
});

test("another person's message has that person's name", () => {
  const message = show({ sender: { id: "p2", name: "Ada", kind: "person" } });
  expect(message.textContent).toContain("Ada");
});

test("a program cannot pass for the person by taking the person's id or name", () => {
  const message = show({ sender: { id: "me", name: "You", kind: "machine" } });
  expect(message.textContent).toContain("Program “You”");
});

test("a message of an old log, which names no sender, is still shown", () => {
  expect(show({}).textContent).toBe("Hello");
});

test("a late answer names the person who gave it", () => {
  const sender = { id: "p2", name: "Ada", kind: "person" } as const;
  const message = show({ source: "late_answer", sender });
  expect(message.getAttribute("aria-label")).toBe("Late answer: Ada");
});
