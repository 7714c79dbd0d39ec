import { act, fireEvent, screen } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { createFakeTransport } from "../testing/fake-transport.ts";
import { prompt, response } from "../../test/components/prompts.ts";
import { answerWith, freshPage, sent, show } from "../../test/components/show.tsx";
import { shows } from "../../test/support/shows.ts";
import type { InteractionRecord, InteractionRequest } from "../protocol/index.ts";
import { ToolApproval } from "./index.ts";

freshPage();

const INPUT = { command: "rm -rf build", timeout: 5 };
const approval = (
  request: Partial<InteractionRequest> = {},
  view: Parameters<typeof prompt>[1] = {},
) => (
  <ToolApproval
    sessionId="s1"
    interaction={prompt(
      {
        interactionType: "approval",
        toolInput: INPUT,
        approvalScopes: ["once", "session", "always"],
        ...request,
      },
      view,
    )}
  />
);
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>("button", { name });

describe("with just the call", () => {
  const plain = <ToolApproval sessionId="s1" toolCallId="call-1" toolName="Bash" input='{"a":1}' />;

  test("approves through approveTool", async () => {
    const { press, transport, state } = show(plain);
    await press(button("Allow once"));
    expect(transport.argumentsOf("approveTool")[0]?.slice(0, 2)).toEqual(["s1", "call-1"]);
    expect(state()).toBe("completed");
    expect(screen.queryByRole("button")).toBeNull();
  });

  test("denies through denyTool, with the reason", async () => {
    const { press, user, transport } = show(plain);
    await press(button("More"));
    await press(button("Deny with a reason"));
    await user.type(screen.getByRole("textbox"), "Not now");
    await press(button("Deny and send the reason"));
    expect(transport.argumentsOf("denyTool")[0]).toMatchObject([
      "s1",
      "call-1",
      { reason: "Not now" },
    ]);
  });
});

describe("what it offers", () => {
  test.each([
    ["Allow for this session", "session", "This exact command, in this session."],
    ["Always allow", "always", "This exact command, in every session, until you revoke it."],
  ])(
    "%s is a button of its own under More that says what it covers",
    async (name, scope, covers) => {
      const { press, pass, transport } = show(approval());
      await press(button("More"));
      expect(button(name).disabled).toBe(true);
      await pass(500);
      const described = button(name).getAttribute("aria-describedby")!;
      expect(document.getElementById(described)?.textContent).toBe(covers);
      await press(button(name));
      expect(sent(transport)[0]?.body).toMatchObject({ action: "approve", approvalScope: scope });
    },
  );

  shows(
    "page:approval-card",
    "Deny, Allow once, and under More each scope that was offered",
    async () => {
      const { card, now, press } = show(approval({ prompt: "May the old build go?" }));
      const decisions = () =>
        [...card().querySelectorAll("[data-decision]")].map(({ textContent }) => textContent);
      expect(card().textContent).toContain("Run this command?");
      expect(screen.getByLabelText("The agent says").textContent).toContain(
        "May the old build go?",
      );
      expect(decisions()).toEqual(["Deny", "Allow once"]);
      await press(button("More"));
      const wider = ["Allow for this session", "Always allow"];
      const ways = ["Deny with a reason", "Deny and stop"];
      expect(decisions()).toEqual(["Deny", "Allow once", ...wider, ...ways]);
      await press(button("More"));
      now(approval({ approvalScopes: ["once"] }));
      expect(card().textContent).toContain("Run this command?");
      expect(screen.queryByLabelText("The agent says")).toBeNull();
      expect(decisions()).toEqual(["Deny", "Allow once"]);
    },
  );

  test("the agent's own choices take the place of scopes", async () => {
    const approvalOptions: InteractionRequest["approvalOptions"] = [
      { id: "a", label: "Yes, for npm", decision: "approve", covers: ["npm install", "npm test"] },
      { id: "d", label: "No, never", decision: "deny" },
    ];
    const { press, transport } = show(approval({ approvalOptions, approvalScopes: undefined }));
    expect(screen.getByText("npm test")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Deny" })).toBeNull();
    await press(button("No, never"));
    expect(sent(transport)[0]?.body).toMatchObject({ action: "deny", optionId: "d" });
  });

  test("Deny sends what was written as its reason, and may stop the turn", async () => {
    const { press, user, transport } = show(approval());
    await press(button("More"));
    await press(button("Deny with a reason"));
    await user.type(screen.getByRole("textbox"), "Use trash");
    await user.click(screen.getByLabelText("Also stop the agent"));
    await press(button("Deny and send the reason"));
    expect(sent(transport)[0]?.body).toMatchObject({
      action: "deny",
      reason: "Use trash",
      stop: true,
    });
  });
});

describe("exactly what runs", () => {
  shows("gateway:approval-shows", "a command, with everything else of the input", () => {
    const { card } = show(approval());
    expect(card().textContent).toContain("Run this command?");
    expect([button(/^Deny/), button(/^Allow once/)]).toHaveLength(2);
    expect(card().querySelector("[data-beckon-view=command] pre")?.textContent).toBe(
      "rm -rf build",
    );
    expect(card().querySelector("[data-beckon-view=and] pre")?.textContent).toContain(
      '"timeout": 5',
    );
  });

  test("a change as a diff with its path", () => {
    const toolInput = {
      file_path: "/a/b.ts",
      old_string: "one\ntwo\nthree",
      new_string: "one\n2\nthree",
    };
    const { card } = show(approval({ toolName: "Edit", toolInput }));
    expect(card().querySelector("del")?.textContent).toBe("- two\n");
    expect(card().querySelector("ins")?.textContent).toBe("+ 2\n");
    expect(screen.getByText("/a/b.ts")).toBeTruthy();
  });

  test("two changed lines of sixty are two lines that go and two that come, the rest in reach", () => {
    const lines = Array.from({ length: 60 }, (_, at) => `line ${at}`);
    const toolInput = {
      file_path: "/a/b.ts",
      old_string: lines.join("\n"),
      new_string: lines.with(10, "new ten").with(50, "new fifty").join("\n"),
    };
    const { card } = show(approval({ toolName: "Edit", toolInput }));
    const text = (selector: string) =>
      [...card().querySelectorAll(selector)].map(({ textContent }) => textContent);
    expect(text("del")).toEqual(["- line 10\n", "- line 50\n"]);
    expect(text("ins")).toEqual(["+ new ten\n", "+ new fifty\n"]);
    expect(text("summary")).toEqual([
      "7 unchanged lines",
      "33 unchanged lines",
      "6 unchanged lines",
    ]);
    for (const line of lines) expect(card().textContent).toContain(line);
  });

  test("hidden characters are visible", () => {
    const { card } = show(
      approval({ toolInput: { command: "ls \u202Etxt.exe\u200B" }, prompt: "safe\u2066" }),
    );
    expect(card().textContent).not.toMatch(/[\u202E\u200B\u2066]/);
    expect(card().textContent).toMatch(/202E/i);
  });

  test("facts of the server stand apart from what the agent says", () => {
    const { card } = show(
      approval({
        prompt: "Trust me, the folder is /tmp.",
        context: { cwd: "/home/me", blockedPath: "/etc/passwd", reason: "Outside of the folder" },
      }),
    );
    const facts = card().querySelector("[data-beckon-facts]")!;
    expect(facts.textContent).toContain("/home/me");
    expect(facts.textContent).toContain("/etc/passwd");
    expect(facts.textContent).not.toContain("Trust me");
    expect(screen.getByLabelText("The agent says").textContent).toContain("Trust me");
  });

  test("a program from outside is not called an agent", () => {
    show(approval({ prompt: "Paint the door?", context: { askedBy: "release-bot" } }));
    expect(screen.getByLabelText("release-bot says").textContent).toContain("Paint the door?");
    expect(screen.queryByLabelText("The agent says")).toBeNull();
  });

  test("of a prompt from outside it says what was asked, not what ran", () => {
    const { card } = show(
      approval(
        { context: { askedBy: "release-bot" } },
        { state: "answered", pending: false, response: response({ action: "approve" }) },
      ),
    );
    expect(card().querySelector("summary")?.textContent).toBe("What was asked");
  });

  test("a confirmation still says what it was about when it has ended", () => {
    const confirmation = { kind: "confirm", toolName: "confirm", toolInput: {} } as const;
    const { card } = show(
      approval(
        { ...confirmation, prompt: "Paint the door?\nIt is old." },
        { state: "answered", pending: false, response: response({ action: "approve" }) },
      ),
    );
    expect(card().querySelector(".bk-title")?.textContent).toBe("Paint the door?…");
  });

  test("a confirmation leads with its question, and says it once", () => {
    const confirmation = { kind: "confirm", toolName: "confirm", toolInput: {} } as const;
    const asker = { name: "painter", kind: "machine" } as const;
    const { card } = show(approval({ ...confirmation, asker, prompt: "Paint the door?" }));
    expect(card().querySelector(".bk-title")?.textContent).toBe("Paint the door?");
    expect(card().textContent?.match(/Paint the door/g)?.length).toBe(1);
    expect(card().querySelector("[data-beckon-facts]")?.textContent).toBe("Asked bypainter");
  });

  test("the tool is named once, and without facts there are none", () => {
    const { card } = show(approval({ toolName: "deploy", approvalScopes: undefined }));
    expect(card().textContent?.match(/deploy/g)?.length).toBe(1);
    expect(card().querySelector("[data-beckon-facts]")).toBeNull();
  });

  test("a large input is read before Approve is live", async () => {
    const transport = createFakeTransport();
    let deliver: (record: InteractionRecord) => void = () => {};
    transport.script("interaction", () => new Promise((resolve) => (deliver = resolve)));
    const { pass } = show(approval({ toolInput: undefined, toolInputBytes: 100_000 }), {
      transport,
    });
    await pass(10_000);
    expect(button("Allow once").disabled).toBe(true);
    expect(button("Deny").disabled).toBe(false);
    expect(screen.getByText(/98 KiB/)).toBeTruthy();
    deliver({ request: prompt({ toolInput: INPUT }).request } as InteractionRecord);
    await pass(0);
    expect(screen.getByText("rm -rf build")).toBeTruthy();
    await pass(499);
    expect(button("Allow once").disabled).toBe(true);
    await pass(1);
    expect(button("Allow once").disabled).toBe(false);
  });

  test("a large input that cannot be read leaves Approve dead, and can be read again", async () => {
    const { pass, press, transport } = show(
      approval({ toolInput: undefined, toolInputBytes: 100_000 }),
    );
    await pass(1_000);
    expect(button("Allow once").disabled).toBe(true);
    transport.script("interaction", {
      request: prompt({ toolInput: INPUT }).request,
    } as InteractionRecord);
    await press(button("Read it again"));
    await pass(500);
    expect(button("Allow once").disabled).toBe(false);
  });

  test("a long input is approved only after its end was on screen", async () => {
    const height = vi.spyOn(Element.prototype, "scrollHeight", "get").mockReturnValue(1_000);
    const { pass, press } = show(approval());
    await pass(1_000);
    expect(button("Allow once").disabled).toBe(true);
    await press(button("Go to the end"));
    await pass(200);
    expect(button("Allow once").disabled).toBe(false);
    height.mockRestore();
  });
});

describe("editing the input", () => {
  test("a command is edited as it is written; what else it runs with stays, in sight", async () => {
    const toolInput = { command: 'echo "a\nb"', cwd: "/srv", timeout: 5 };
    const { press, transport, card } = show(approval({ editable: true, toolInput }));
    await press(button("More"));
    await press(button("Edit the command"));
    const field = screen.getByRole<HTMLTextAreaElement>("textbox");
    expect(document.activeElement).toBe(field);
    expect(field.labels?.[0]?.textContent).toBe("Command: what stands here is what runs");
    expect(field.value).toBe('echo "a\nb"');
    expect(card().querySelector("[data-beckon-view=folder] pre")?.textContent).toBe("/srv");
    fireEvent.change(field, { target: { value: 'echo "c"' } });
    await press(button("Allow once"));
    expect(sent(transport)[0]?.body.updatedInput).toEqual({ ...toolInput, command: 'echo "c"' });
  });

  test("all of it can be edited as JSON, with what was made of the command", async () => {
    const { press, transport } = show(approval({ editable: true }));
    await press(button("More"));
    await press(button("Edit the command"));
    const field = () => screen.getByRole<HTMLTextAreaElement>("textbox");
    fireEvent.change(field(), { target: { value: "ls" } });
    await press(button("Edit all of it as JSON"));
    expect(JSON.parse(field().value)).toEqual({ command: "ls", timeout: 5 });
    fireEvent.change(field(), { target: { value: '{ "command": "ls" }' } });
    await press(button("Allow once"));
    expect(sent(transport)[0]?.body.updatedInput).toEqual({ command: "ls" });
  });

  test("an empty command cannot be approved", async () => {
    const { press } = show(approval({ editable: true }));
    await press(button("More"));
    await press(button("Edit the command"));
    fireEvent.change(screen.getByRole("textbox"), { target: { value: " \n" } });
    expect(button("Allow once").disabled).toBe(true);
    expect(screen.getByText("There is no command.")).toBeTruthy();
  });

  test("an input that was opened and not changed is sent as no change", async () => {
    const { press, transport } = show(approval({ editable: true }));
    await press(button("More"));
    await press(button(/^Edit the/));
    await press(button("Allow once"));
    expect(sent(transport)[0]?.body).not.toHaveProperty("updatedInput");
  });

  test("what is no JSON cannot be approved", async () => {
    const { press, transport } = show(approval({ editable: true, toolInput: { path: "x" } }));
    await press(button("More"));
    await press(button(/^Edit the/));
    const field = screen.getByRole("textbox");
    fireEvent.change(field, { target: { value: '{ "command": ' } });
    expect(button("Allow once").disabled).toBe(true);
    expect(field.getAttribute("aria-invalid")).toBe("true");
    fireEvent.keyDown(field, { key: "Enter", ctrlKey: true });
    expect(sent(transport)).toEqual([]);
  });

  test("errors of the tool's schema stand at the field, the text is kept", async () => {
    const { press, transport } = show(approval({ editable: true, toolInput: { path: "x" } }));
    answerWith(transport, {
      ok: false,
      code: "invalid_response",
      error: "The edited input does not fit the tool.",
      fieldErrors: { command: "must be text" },
    });
    await press(button("More"));
    await press(button(/^Edit the/));
    const field = screen.getByRole<HTMLTextAreaElement>("textbox");
    fireEvent.change(field, { target: { value: '{ "command": 1 }' } });
    await press(button("Allow once"));
    expect(field.value).toBe('{ "command": 1 }');
    expect(screen.getByText("command: must be text")).toBeTruthy();
    expect(document.activeElement).toBe(field);
  });

  test("hidden characters stand in the field as escapes that mean the same", async () => {
    const toolInput = { command: "a\u200Bb" };
    const { press, transport } = show(approval({ editable: true, toolInput }));
    await press(button("More"));
    await press(button(/^Edit the/));
    expect(screen.getByRole<HTMLTextAreaElement>("textbox").value).toContain("a\\u200bb");
    await press(button("Allow once"));
    expect(sent(transport)[0]?.body).not.toHaveProperty("updatedInput");
  });
});

describe("never by accident", () => {
  test("a fresh card cannot be approved for half a second, but denied at once", () => {
    const { transport, card } = show(approval(), { fresh: true });
    fireEvent.click(button("Allow once"));
    fireEvent.keyDown(card(), { key: "Enter", ctrlKey: true });
    act(() => void vi.advanceTimersByTime(499));
    fireEvent.click(button("Allow once"));
    fireEvent.keyDown(card(), { key: "Enter", ctrlKey: true });
    expect(sent(transport)).toEqual([]);
    act(() => void vi.advanceTimersByTime(1));
    fireEvent.click(button("Allow once"));
    expect(sent(transport).length).toBe(1);
  });

  test("Deny works on a fresh card", () => {
    const { transport } = show(approval(), { fresh: true });
    fireEvent.click(button("Deny"));
    expect(sent(transport)[0]?.body.action).toBe("deny");
  });

  test("the next prompt of the same call is fresh again", () => {
    const { transport, now } = show(approval());
    now(approval({}, { id: "prompt-2" }));
    fireEvent.click(button("Allow once"));
    expect(sent(transport)).toEqual([]);
  });

  test("the focus goes to the card, and Enter there does nothing", async () => {
    const { user, transport, card } = show(approval());
    expect(document.activeElement).toBe(card());
    await user.keyboard("{Enter} ");
    expect(sent(transport)).toEqual([]);
  });

  test("the focus stays with somebody who types", () => {
    const composer = document.body.appendChild(document.createElement("textarea"));
    composer.focus();
    show(approval());
    expect(document.activeElement).toBe(composer);
    composer.remove();
  });

  test("Enter in the reason does not decide; with Ctrl it denies", async () => {
    const { user, transport, press } = show(approval());
    await press(button("More"));
    await press(button("Deny with a reason"));
    await user.click(screen.getByRole("textbox"));
    await user.keyboard("no{Enter}1");
    expect(sent(transport)).toEqual([]);
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(sent(transport)[0]?.body).toMatchObject({ action: "deny", reason: "no\n1" });
  });

  test("what is below the edge of the window has not been seen, whatever its buttons cover", async () => {
    let edge = window.innerHeight + 400;
    const place = vi.spyOn(Element.prototype, "getBoundingClientRect");
    place.mockImplementation(function (this: Element) {
      const isInput = this.matches(".bk-input");
      return new DOMRect(0, isInput ? edge - 100 : edge + 20, 100, 100);
    });
    const { pass } = show(approval());
    await pass(1_000);
    expect(button("Allow once").disabled).toBe(true);
    edge -= 500;
    await pass(1_000);
    expect(button("Allow once").disabled).toBe(false);
    place.mockRestore();
  });

  test("what is in sight for a moment only, while what is above it is still drawn, has not been seen", async () => {
    let end = 100;
    const place = vi.spyOn(Element.prototype, "getBoundingClientRect");
    place.mockImplementation(function (this: Element) {
      return new DOMRect(0, this.matches(".bk-input") ? end - 100 : 5_000, 100, 100);
    });
    const { pass } = show(approval(), { fresh: true });
    await pass(100);
    end = window.innerHeight + 50;
    await pass(1_000);
    expect(button("Allow once").disabled).toBe(true);
    end = 100;
    await pass(1_000);
    expect(button("Allow once").disabled).toBe(false);
    place.mockRestore();
  });

  test("a digit only goes to a choice; Enter presses it", async () => {
    const { user, transport } = show(approval());
    await user.keyboard("1");
    expect(document.activeElement).toBe(button("Allow once"));
    expect(sent(transport)).toEqual([]);
    await user.keyboard("{Enter}");
    expect(sent(transport)[0]?.body.approvalScope).toBe("once");
  });

  test("Ctrl+Enter on the card allows once", async () => {
    const { user, transport } = show(approval());
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(sent(transport)[0]?.body).toMatchObject({ action: "approve", approvalScope: "once" });
  });

  test("Esc decides nothing, in a field or out of it", async () => {
    const { user, transport, press, card } = show(approval());
    await press(button("More"));
    await press(button("Deny with a reason"));
    await user.type(screen.getByRole("textbox"), "why");
    await user.keyboard("{Escape}");
    expect(document.activeElement).toBe(card());
    await user.keyboard("{Escape}");
    expect(sent(transport)).toEqual([]);
    expect(screen.getByDisplayValue("why")).toBeTruthy();
  });

  test("two presses send one answer", () => {
    const { transport } = show(approval());
    answerWith(transport, () => new Promise(() => {}));
    const allow = button("Allow once");
    // Both before React has drawn anything between them.
    act(() => {
      allow.click();
      allow.click();
    });
    expect(sent(transport).length).toBe(1);
  });
});

test("the loser of a race sees what the winner chose, and who that was", async () => {
  const { press, transport, state, card } = show(approval());
  const winner = response({ action: "deny", reason: "Too risky" });
  answerWith(transport, { ok: false, code: "already_answered", error: "Late.", response: winner });
  await press(button("Allow once"));
  expect(state()).toBe("completed_elsewhere");
  expect(card().textContent).toMatch(/Denied on another device.*Ann/);
  expect(card().textContent).toContain("Too risky");
});

test("a reason that was being written is still there after a reload", async () => {
  const { press, user, unmount } = show(approval());
  await press(button("More"));
  await press(button("Deny with a reason"));
  await user.type(screen.getByRole("textbox"), "Because");
  unmount();
  show(approval());
  expect(screen.getByDisplayValue("Because")).toBeTruthy();
});

test("what the agent wrote into a command for people is said as its words, apart from what runs", async () => {
  const toolInput = { command: "rm x", cwd: "/srv", description: "Totally safe" };
  const asker = { name: "Demo", kind: "agent" } as const;
  const { card, press } = show(approval({ toolInput, asker, editable: true }));
  const captions = () => [...card().querySelectorAll("figcaption")].map((one) => one.textContent);
  expect(captions()).toEqual(["The agent says", "Command", "Folder"]);
  expect(screen.getByLabelText("The agent says").textContent).toContain("Totally safe");
  expect(card().textContent).not.toContain("description");
  await press(button("More"));
  await press(button("Edit the command"));
  expect(captions()).toEqual(["The agent says", "Folder"]);
});

test("what else a call has by that name stays in its input, and what a person made of it too", () => {
  const toolInput = { command: "ls", description: "Not for people" };
  const { card, unmount } = show(approval({ toolName: "deploy", toolInput }));
  const shown = "[data-beckon-view=description]";
  expect(card().querySelector(shown)?.textContent).toContain("Not for people");
  unmount();
  const edited = { command: "ls", description: "Changed" };
  const answered = response({ action: "approve", updatedInput: edited });
  const ended = { state: "answered", pending: false, response: answered } as const;
  const { card: again } = show(approval({ toolInput }, ended));
  expect(again().querySelector(shown)?.textContent).toContain("Changed");
});

test("what the model wrote into the input is not told again as a fact", () => {
  const context = { description: "Totally safe", reason: "Outside the folder" };
  show(approval({ toolInput: { command: "rm x", description: "Totally safe" }, context }));
  const facts = [...document.querySelectorAll("[data-beckon-facts] dd")];
  expect(facts.map((fact) => fact.textContent)).toEqual(["Outside the folder"]);
});
