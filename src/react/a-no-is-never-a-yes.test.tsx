import { fireEvent, screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { prompt } from "../../test/components/prompts.ts";
import { freshPage, sent, show } from "../../test/components/show.tsx";
import { InteractionCard } from "./index.ts";

freshPage();

const card = (request: Parameters<typeof prompt>[0]) => (
  <InteractionCard sessionId="s1" interaction={prompt(request)} />
);
const approval = card({
  interactionType: "approval",
  toolInput: { command: "rm -rf build" },
  approvalScopes: ["once", "session", "always"],
  editable: true,
});
const form = card({
  interactionType: "input",
  inputSchema: { type: "form", fields: [{ id: "name", type: "text", label: "Name" }] },
});
const question = card({
  interactionType: "input",
  questions: [
    {
      header: "Colour",
      question: "Which one?",
      options: [{ label: "Red" }, { label: "Blue" }],
      multiSelect: false,
    },
  ],
});
const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });
const CHORD = "{Control>}{Enter}{/Control}";

async function openReason(page: ReturnType<typeof show>) {
  await page.press(button("More"));
  await page.press(button("Deny with a reason"));
}

describe("a reason to deny", () => {
  test("opening it focuses its field, so that what is typed and sent by the chord denies", async () => {
    const page = show(approval);
    await openReason(page);
    expect(document.activeElement).toBe(screen.getByRole("textbox"));
    await page.user.keyboard(`Use trash${CHORD}`);
    expect(sent(page.transport).map(({ body }) => body)).toMatchObject([
      { action: "deny", reason: "Use trash" },
    ]);
  });

  test("while it is open the chord denies wherever the focus is, and nothing can be allowed", async () => {
    const page = show(approval);
    await openReason(page);
    expect(screen.queryByRole("button", { name: /llow/ })).toBeNull();
    page.card().focus();
    await page.user.keyboard(CHORD);
    expect(sent(page.transport).map(({ body }) => body.action)).toEqual(["deny"]);
  });

  test("the hint says what the keys do while it is open, and when it is closed again", async () => {
    const page = show(approval);
    expect(page.card().querySelector(".bk-keys")?.textContent).toContain("Ctrl+Enter Allow once");
    await openReason(page);
    const hint = page.card().querySelector(".bk-keys")?.textContent;
    expect(hint).toContain("Ctrl+Enter Deny and send the reason");
    expect(hint).not.toContain("Allow");
    await page.press(button("Back"));
    expect(page.card().querySelector(".bk-keys")?.textContent).toContain("Ctrl+Enter Allow once");
  });

  test("closing it does not put a live Allow under the next click", async () => {
    const page = show(approval);
    await openReason(page);
    await page.pass(1_000);
    fireEvent.click(button("Back"));
    expect(button("Allow once").disabled).toBe(true);
    fireEvent.click(button("Allow once"));
    await page.pass(500);
    expect(button("Allow once").disabled).toBe(false);
    expect(sent(page.transport)).toEqual([]);
  });

  test("one that was written before a reload is open, and the chord denies with it", async () => {
    const first = show(approval);
    await openReason(first);
    await first.user.keyboard("Because");
    first.unmount();
    const page = show(approval);
    page.card().focus();
    await page.user.keyboard(CHORD);
    expect(sent(page.transport)[0]?.body).toMatchObject({ action: "deny", reason: "Because" });
  });
});

describe("an edit that is taken back", () => {
  async function openEdit(page: ReturnType<typeof show>) {
    await page.press(button("More"));
    await page.press(button("Edit the command"));
    await page.user.keyboard(" --all");
    await page.pass(500);
  }

  test("the chord on the button that takes it back allows nothing", async () => {
    const page = show(approval);
    await openEdit(page);
    button("Use the original").focus();
    await page.pass(0);
    const hint = page.card().querySelector(".bk-keys")?.textContent;
    expect(hint).toContain("Ctrl+Enter Use the original");
    await page.user.keyboard(CHORD);
    expect(sent(page.transport)).toEqual([]);
    expect(screen.queryByRole("textbox")).toBeNull();
  });

  test("does not put a live Allow under the next click", async () => {
    const page = show(approval);
    await openEdit(page);
    fireEvent.click(button("Use the original"));
    expect(button("Allow once").disabled).toBe(true);
    await page.pass(500);
    expect(button("Allow once").disabled).toBe(false);
  });
});

test("the chord on the way back from a reason denies nothing and allows nothing", async () => {
  const page = show(approval);
  await openReason(page);
  button("Back").focus();
  await page.user.keyboard(CHORD);
  expect(sent(page.transport)).toEqual([]);
  expect(screen.queryByRole("textbox")).toBeNull();
});

describe("with the focus on a control that means no, the chord never means yes", () => {
  test.each([
    ["Deny", approval, "deny"],
    ["Deny and stop", approval, "deny"],
    ["Refuse", form, "deny"],
    ["Skip", form, "cancel"],
    ["Refuse", question, "deny"],
    ["Skip", question, "cancel"],
  ])("%s", async (name, element, action) => {
    const page = show(element);
    const more = screen.queryByRole("button", { name: "More" });
    if (more) await page.press(more);
    if (screen.queryByRole("radio", { name: "Red" })) {
      await page.user.click(screen.getByRole("radio", { name: "Red" }));
    }
    button(name).focus();
    await page.pass(0);
    expect(page.card().querySelector(".bk-keys")?.textContent).toContain(`Ctrl+Enter ${name}`);
    await page.user.keyboard(CHORD);
    expect(sent(page.transport).map(({ body }) => body.action)).toEqual([action]);
  });

  test("a wider scope that has the focus is what the chord allows", async () => {
    const page = show(approval);
    await page.press(button("More"));
    await page.pass(500);
    button("Always allow").focus();
    await page.user.keyboard(CHORD);
    expect(sent(page.transport)[0]?.body.approvalScope).toBe("always");
  });
});

test("an option of the asker's own that reaches further is sent by its id alone", async () => {
  const options = [
    { id: "all", label: "The folder", decision: "approve", scope: "session" },
  ] as const;
  const page = show(
    card({ interactionType: "approval", toolInput: {}, approvalOptions: [...options] }),
  );
  await page.press(button("The folder"));
  expect(sent(page.transport)[0]?.body).toMatchObject({ action: "approve", optionId: "all" });
  expect(sent(page.transport)[0]?.body).not.toHaveProperty("approvalScope");
});
