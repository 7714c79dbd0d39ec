import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { createFakeTransport } from "beckon/testing";
import { expect, test } from "vitest";
import { App } from "./app.tsx";

test("what is asked is shown, and what is pressed is sent", async () => {
  const transport = createFakeTransport();
  render(<App transport={transport} />);
  act(() => {
    transport.list({
      id: "prompt-1",
      sessionId: "session-1",
      toolCallId: "call-1",
      toolName: "bash",
      status: "pending",
      waiting: "live",
      createdAt: "2030-01-01T00:00:00.000Z",
      request: {
        toolCallId: "call-1",
        interactionId: "prompt-1",
        toolName: "bash",
        interactionType: "approval",
        presentation: "tool",
        approvalScopes: ["once", "session"],
        toolInput: { command: "ls" },
        attempt: 1,
      },
    });
  });
  const allow = await screen.findByRole<HTMLButtonElement>("button", { name: "Allow once" });
  // Not pressable in its first half second: a click may have been meant for what stood there before.
  await waitFor(() => expect(allow.disabled).toBe(false));
  fireEvent.click(allow);
  await waitFor(() => expect(transport.argumentsOf("respond")).toHaveLength(1));
  expect(transport.argumentsOf("respond")[0]).toMatchObject([
    { interactionId: "prompt-1" },
    { action: "approve", approvalScope: "once" },
  ]);
});
