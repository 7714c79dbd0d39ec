import { readFileSync } from "node:fs";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { TransportProvider } from "beckon/react";
import { createFakeTransport } from "beckon/testing";
import { expect, test } from "vitest";
import { prompt } from "../../test/components/prompts.ts";
import { ByCall } from "./by-call.tsx";
import { MyApproval } from "./my-approval.tsx";

/* The shorter pieces of docs/guide/react.md. */

test("a card of one's own shows the whole input, and its buttons decide", async () => {
  const transport = createFakeTransport();
  const interaction = prompt({
    interactionType: "approval",
    approvalScopes: ["once"],
    toolInput: { command: "ls" },
  });
  render(
    <TransportProvider transport={transport}>
      <MyApproval sessionId="session-1" interaction={interaction} />
    </TransportProvider>,
  );
  await screen.findByText("ls");
  const allow = await screen.findByRole<HTMLButtonElement>("button", { name: "Allow once" });
  await waitFor(() => expect(allow.disabled).toBe(false));
  fireEvent.click(allow);
  await waitFor(() => expect(transport.argumentsOf("respond")).toHaveLength(1));
});

test("a call that is known only by its id is asked about, once people may answer here", async () => {
  const transport = createFakeTransport();
  const questions = [
    { header: "Colour", question: "Which?", options: [{ label: "Blue" }], multiSelect: false },
  ];
  const ids = { sessionId: "session-1", toolCallId: "call-1", toolName: "bash" };
  render(<ByCall transport={transport} call={{ ...ids, input: { command: "ls" }, questions }} />);
  await screen.findByText("Which?");
  expect(transport.argumentsOf("setInteractive")).toEqual([[false]]);
  const [enable] = await screen.findAllByRole("button", { name: /enable/i });
  act(() => enable?.click());
  const allow = await screen.findByRole<HTMLButtonElement>("button", { name: "Allow once" });
  await waitFor(() => expect(allow.disabled).toBe(false));
  fireEvent.click(allow);
  await waitFor(() => expect(transport.argumentsOf("approveTool")).toHaveLength(1));
});

test("every colour that one's own style sheet sets is one of the cards'", () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
  const cards = read("../../src/react/cards.css");
  const set = [...read("my-colours.css").matchAll(/(--bk-[\w-]+):/g)].map(([, name]) => name);
  expect(set).toHaveLength(3);
  for (const name of set) expect(cards).toContain(`var(${name}`);
});
