import { act, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { TransportProvider } from "../../src/react/index.ts";
import type { InboxListener, Transport } from "../../src/transport/index.ts";
import type { InteractionRecord } from "../../src/protocol/index.ts";
import { WorldProvider } from "../shell/world.tsx";
import { useInboxCards } from "./use-inbox-cards.ts";

const asked: InteractionRecord = {
  id: "asked",
  sessionId: "s1",
  toolCallId: "call-1",
  toolName: "bash",
  status: "pending",
  waiting: "live",
  request: {
    toolCallId: "call-1",
    interactionId: "asked",
    toolName: "bash",
    interactionType: "approval",
    presentation: "tool",
    attempt: 1,
  },
  createdAt: "2030-01-01T00:00:00.000Z",
};

function Cards() {
  const { groups } = useInboxCards();
  const records = groups.flatMap((group) => group.records);
  return <p data-testid="cards">{records.map(({ id, status }) => `${id} ${status}`).join()}</p>;
}

test("what ended while the line was down is shown as it ended, also to who had just come", async () => {
  const inboxes = new Set<InboxListener>();
  const server: Partial<Transport> = {
    watchInbox(listener) {
      inboxes.add(listener);
      return () => void inboxes.delete(listener);
    },
    watchSessions: () => () => {},
    sessions: async () => ({ sessions: [] }),
    interaction: async () => ({ ...asked, status: "answered" }),
  };
  const page = (cards: boolean) => (
    <TransportProvider transport={server as Transport}>
      <WorldProvider>{cards && <Cards />}</WorldProvider>
    </TransportProvider>
  );
  const list = (...records: InteractionRecord[]) =>
    act(async () => inboxes.forEach((inbox) => inbox.list(records)));

  const { rerender } = await act(async () => render(page(false)));
  await list(asked);
  // The list that this one asks for is lost with the line.
  await act(async () => rerender(page(true)));
  expect(screen.getByTestId("cards").textContent).toBe("asked pending");
  await list();
  expect(screen.getByTestId("cards").textContent).toBe("asked answered");
});
