import { render, screen, within } from "@testing-library/react";
import { act } from "react";
import { expect, vi } from "vitest";
import { prompt } from "../../test/components/prompts.ts";
import { freshPage } from "../../test/components/show.tsx";
import { shows } from "../../test/support/shows.ts";
import { createFakeTransport } from "../testing/fake-transport.ts";
import { InteractionCard, QuestionPrompt, ToolApproval, TransportProvider } from "./index.ts";

freshPage();

const questions = [
  {
    header: "H",
    question: "Which?",
    options: [{ label: "A" }, { label: "B" }],
    multiSelect: false,
  },
];
const cards = [
  <ToolApproval key="a" sessionId="s1" toolCallId="call-a" toolName="Bash" input="{}" />,
  <QuestionPrompt key="q" sessionId="s1" toolCallId="call-q" questions={questions} />,
  <InteractionCard
    key="f"
    sessionId="s1"
    interaction={prompt({ inputSchema: { type: "form", fields: [] } })}
  />,
];

shows(
  ["card:any-transport", "gateway:same-cards"],
  "each answer goes through the transport around its card",
  async () => {
    const [here, there] = [createFakeTransport(), createFakeTransport()];
    render(
      <>
        <TransportProvider transport={there}>{cards}</TransportProvider>
        <main>
          <TransportProvider transport={here}>{cards}</TransportProvider>
        </main>
      </>,
    );
    act(() => void vi.advanceTimersByTime(500));
    const main = within(screen.getByRole("main"));
    act(() => main.getByRole("radio", { name: "B" }).click());
    for (const name of ["Allow once", "Submit", "Done"])
      await act(async () => main.getByRole("button", { name }).click());
    const answers = here.calls.filter(({ method }) => !method.startsWith("watch"));
    expect(answers.map(({ method }) => method)).toEqual([
      "approveTool",
      "submitAnswers",
      "respond",
    ]);
    expect(there.calls).toEqual([]);
  },
);
