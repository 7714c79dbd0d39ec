import { act, screen } from "@testing-library/react";
import { StrictMode } from "react";
import { describe, expect, test } from "vitest";
import { createFakeTransport } from "../testing/fake-transport.ts";
import { prompt } from "../../test/components/prompts.ts";
import { freshPage, show } from "../../test/components/show.tsx";
import { shows } from "../../test/support/shows.ts";
import type { ChatView, ToolCallView } from "../client/index.ts";
import type { InteractionRecord, SessionRecord } from "../protocol/index.ts";
import { useChatSession, useConnection, useInbox, useInteraction, useSessions } from "./index.ts";
import { toMessages } from "./to-messages.ts";

freshPage();

const record = (part: Partial<InteractionRecord> = {}): InteractionRecord => ({
  id: "prompt-1",
  sessionId: "s1",
  toolCallId: "call-1",
  toolName: "ask",
  status: "pending",
  waiting: "live",
  request: prompt({ prompt: "Well?" }).request,
  createdAt: "2030-01-01T00:00:00.000Z",
  ...part,
});
const session = (id: string): SessionRecord => ({
  id,
  title: `Title of ${id}`,
  agent: "demo",
  permissionMode: "default",
  status: "idle",
  pendingCount: 0,
  lastSeq: 0,
  createdAt: "2030-01-01T00:00:00.000Z",
  updatedAt: "2030-01-01T00:00:00.000Z",
});

const shown = () => screen.getByTestId("shown").textContent;
const text = (value: unknown) => <p data-testid="shown">{String(value)}</p>;

describe("useConnection", () => {
  const Line = () => text(useConnection().state);

  test("tells how the line stands, and when that changes", () => {
    const { transport } = show(<Line />);
    expect(shown()).toBe("online");
    act(() => transport.setConnection({ state: "offline" }));
    expect(shown()).toBe("offline");
  });
});

describe("useInbox", () => {
  const Count = () => text(useInbox().interactions.map(({ id }) => id));

  test("holds what is open, and lets go of what ended", async () => {
    const { transport, pass } = show(<Count />);
    transport.list(record(), record({ id: "prompt-2", createdAt: "2031" }));
    await pass(0);
    expect(shown()).toBe("prompt-1,prompt-2");
    transport.update(record({ status: "answered" }));
    await pass(0);
    expect(shown()).toBe("prompt-2");
  });

  test("is watched once for all who look, and not when nobody does", async () => {
    const { transport, unmount } = show(
      <StrictMode>
        <Count />
        <Count />
      </StrictMode>,
    );
    // One follows the prompts, one the sessions that take theirs with them.
    expect(transport.following).toBe(2);
    unmount();
    expect(transport.following).toBe(0);
  });
});

describe("useSessions", () => {
  const Titles = () => text(useSessions().sessions.map(({ id }) => id));

  test("reads the list", async () => {
    const transport = createFakeTransport();
    transport.script("sessions", { sessions: [session("a"), session("b")] });
    const { pass } = show(<Titles />, { transport });
    await pass(0);
    expect(shown()).toBe("a,b");
  });
});

describe("useInteraction", () => {
  const One = () => {
    const { status, interaction } = useInteraction("prompt-1");
    return text(`${status} ${interaction?.state ?? ""}`);
  };

  test("reads one prompt and follows it to its end", async () => {
    const transport = createFakeTransport();
    transport.script("interaction", record());
    const { pass } = show(<One />, { transport });
    expect(shown()).toBe("loading ");
    await pass(0);
    expect(shown()).toBe("ready open");
    act(() => transport.update(record({ id: "prompt-2", status: "failed" })));
    act(() => transport.update(record({ status: "timed_out" })));
    expect(shown()).toBe("ready closed");
  });

  test("what was told meanwhile is not undone by what was asked before", async () => {
    const transport = createFakeTransport();
    let deliver: (one: InteractionRecord) => void = () => {};
    transport.script("interaction", () => new Promise((resolve) => (deliver = resolve)));
    const { pass } = show(<One />, { transport });
    act(() => transport.update(record({ status: "answered" })));
    deliver(record());
    await pass(0);
    expect(shown()).toBe("ready answered");
  });

  test("says when there is no such prompt", async () => {
    const { pass } = show(<One />);
    await pass(0);
    expect(shown()).toBe("failed ");
  });
});

describe("useChatSession", () => {
  let chat: ReturnType<typeof useChatSession>;
  const Chat = () => {
    chat = useChatSession("s1");
    return text(`${chat.status} ${chat.session?.title ?? ""}`);
  };

  test("follows the session, also where React mounts twice, and leaves when it goes", async () => {
    const { transport, pass, unmount } = show(
      <StrictMode>
        <Chat />
      </StrictMode>,
    );
    expect(shown()).toBe("loading ");
    transport.start("s1", { session: session("s1") });
    await pass(0);
    expect(shown()).toBe("ready Title of s1");
    unmount();
    expect(transport.following).toBe(0);
  });

  test("sends and stops", async () => {
    const { transport } = show(<Chat />);
    await chat.send("Hello", { delivery: "steer" });
    expect(transport.argumentsOf("sendMessage")[0]).toMatchObject([
      "s1",
      { text: "Hello", delivery: "steer", messageId: expect.stringMatching(/^[0-9a-f]{32}$/) },
    ]);
    await chat.cancel("t1");
    expect(transport.argumentsOf("cancel")[0]).toEqual(["s1", "t1"]);
  });
});

describe("messages", () => {
  const call = (id: string, part: Partial<ToolCallView> = {}): ToolCallView => ({
    id,
    name: "Bash",
    input: { command: "ls" },
    origin: "agent",
    status: "running",
    output: "",
    interactionIds: [],
    placeholder: false,
    startedAt: "",
    ...part,
  });
  const questions = [
    { header: "H", question: "Q?", options: [{ label: "A" }, { label: "B" }], multiSelect: false },
  ];
  const asked = prompt({ questions }, { id: "q" });
  const approval = prompt({ interactionType: "approval" }, { id: "a" });
  const form = prompt({ inputSchema: { type: "form", fields: [] } }, { id: "f" });
  const view: ChatView = {
    sessionId: "s1",
    firstSeq: 1,
    lastSeq: 9,
    status: "waiting",
    typing: false,
    pending: ["q"],
    interactions: new Map([asked, approval, form].map((one) => [one.id, one])),
    calls: new Map(
      [
        call("c1", { status: "ok", result: "files" }),
        call("c2", { status: "error", error: { code: "tool_error", message: "No." } }),
        call("c3", { status: "waiting", interactionIds: ["a", "q"] }),
        call("c4", { status: "waiting", interactionIds: ["a"] }),
        call("c5", { status: "running", interactionIds: ["f"] }),
      ].map((one) => [one.id, one]),
    ),
    turns: [
      {
        id: "t1",
        kind: "turn",
        blocks: [
          {
            kind: "message",
            id: "m",
            at: "",
            text: "Hi",
            messageId: "m",
            source: "user",
            queued: false,
          },
          { kind: "text", id: "x", at: "", text: "One", streaming: false },
          { kind: "tools", id: "y", callIds: ["c1", "c2", "c4", "c5"] },
          { kind: "questionnaire", id: "z", callId: "c3", interactionId: "q" },
          { kind: "text", id: "w", at: "", text: "Two", streaming: true },
        ],
      },
    ],
  };

  test("a person's words are one message, what the agent does about them another", () => {
    const messages = toMessages(view);
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ["user", "Hi"],
      ["assistant", "One\n\nTwo"],
    ]);
  });

  shows(
    ["card:tool-status", "card:question-entry", "card:approval-entry"],
    "calls say how they stand, what they ask, and with what",
    () => {
      const calls = toMessages(view)[1]!.toolCalls;
      expect(
        calls.map((one) => [one.toolCallId, one.status, one.interactiveType, one.result]),
      ).toEqual([
        ["c1", "complete", undefined, "files"],
        ["c2", "error", undefined, "No."],
        ["c4", "pending", "approval", undefined],
        ["c5", "running", "form", undefined],
        ["c3", "pending", "question", undefined],
      ]);
      expect(calls[0]?.input).toBe('{"command":"ls"}');
      expect(calls[4]?.questions).toEqual(questions);
      expect(calls[4]?.interaction).toBe(asked);
    },
  );
});
