import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { prompt } from "../../test/components/prompts.ts";
import { freshPage } from "../../test/components/show.tsx";
import { createFakeTransport } from "../testing/fake-transport.ts";
import { ToolApproval, TransportProvider } from "./index.ts";

freshPage();

const PLAN = "# Paint\n\n1. Paint it";

test("a plan is drawn as its app draws Markdown, with its own choices", async () => {
  const interaction = prompt({
    interactionType: "approval",
    kind: "plan",
    toolName: "ExitPlanMode",
    prompt: PLAN,
    toolInput: { plan: PLAN, planFilePath: "/plans/one.md" },
    approvalOptions: [
      { id: "ask", label: "Go, ask before edits", decision: "approve", covers: [] },
      { id: "edits", label: "Go, accept edits", decision: "approve", covers: ["Edits files."] },
      { id: "keep", label: "Keep planning", decision: "deny" },
    ],
  });
  const { container } = render(
    <TransportProvider
      transport={createFakeTransport()}
      markdown={(text) => <article>{text.slice(2)}</article>}
    >
      <ToolApproval sessionId="s1" interaction={interaction} />
    </TransportProvider>,
  );
  expect(await screen.findByText("Go ahead with this plan?")).toBeDefined();
  expect((await screen.findByRole("article")).textContent).toContain("1. Paint it");
  // Its input holds the same once more, and the style sheet hides it by this.
  expect(container.querySelector(".bk-plan")).not.toBeNull();
  for (const name of ["Keep planning", "Go, ask before edits"]) {
    expect(screen.getByRole("button", { name })).toBeDefined();
  }
});
