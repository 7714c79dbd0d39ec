import { act, screen } from "@testing-library/react";
import axe from "axe-core";
import { describe, expect, test, vi } from "vitest";
import { createFakeTransport } from "../testing/fake-transport.ts";
import { prompt, response } from "../../test/components/prompts.ts";
import { answerWith, freshPage, type PageProps, sent, show } from "../../test/components/show.tsx";
import { shows } from "../../test/support/shows.ts";
import type { InteractionView } from "../client/index.ts";
import type { Field, FieldType, InteractionRequest } from "../protocol/index.ts";
import { InteractionCard } from "./index.ts";

freshPage();

const OPTIONS = [
  { value: "a", label: "First" },
  { value: "b", label: "Second", description: "Other" },
];
const TYPES: FieldType[] = [
  "text",
  "textarea",
  "number",
  "boolean",
  "checkbox",
  "select",
  "multiselect",
  "radio",
  "date",
  "time",
  "datetime",
  "secret",
];
const FIELDS = TYPES.map((type): Field => ({
  id: type,
  type,
  label: `A ${type}`,
  description: "Said about it",
  required: true,
  ...(/select|radio/.test(type) ? { options: OPTIONS } : {}),
}));

const KINDS: Record<string, Partial<InteractionRequest>> = {
  approval: {
    interactionType: "approval",
    prompt: "May I?",
    toolInput: { command: "ls" },
    context: { cwd: "/home" },
    approvalScopes: ["once", "session"],
    editable: true,
  },
  questions: {
    presentation: "questionnaire",
    questions: [
      {
        header: "Colour",
        question: "Which?",
        options: [
          { label: "Red", preview: "red" },
          { label: "Blue", description: "Sea" },
        ],
        multiSelect: false,
      },
      {
        header: "Size",
        question: "Which ones?",
        options: [{ label: "S" }, { label: "L" }],
        multiSelect: true,
      },
    ],
  },
  form: {
    prompt: "Please",
    inputSchema: {
      type: "form",
      title: "A form",
      fields: FIELDS,
      sections: [{ id: "o", title: "More", optional: true, fields: [] }],
    },
  },
  link: { prompt: "Sign in there", link: { url: "https://example.com/" } },
};

const MINE = { id: "person-1", clientId: "this-client" };
const ANSWERS: Record<string, Parameters<typeof response>[0]> = {
  approval: { action: "deny" },
  questions: { input: { answers: { "0": "Red", "1": '["S"]' } } },
  form: { input: { text: "words", boolean: true } },
  link: {},
};

interface State {
  name: string;
  state: string;
  says: RegExp;
  request?: Partial<InteractionRequest>;
  view?: (kind: string) => Partial<InteractionView>;
  page?: PageProps;
}

const closed = (reason: InteractionView["reason"]) => () =>
  ({ state: "closed", pending: false, reason }) as const;

const STATES: State[] = [
  { name: "pending", state: "pending", says: /Waiting for your answer/ },
  {
    name: "pending with errors",
    state: "pending",
    says: /Once more/,
    request: {
      error: "Once more.",
      fieldErrors: {
        "0": "No.",
        "1": "No.",
        ...Object.fromEntries(TYPES.map((id) => [id, "No."])),
      },
    },
  },
  {
    name: "answered here",
    state: "completed",
    says: /Denied|Answered/,
    view: (kind) => ({
      state: "answered",
      pending: false,
      response: response({ ...ANSWERS[kind], responder: MINE }),
    }),
  },
  {
    name: "answered elsewhere",
    state: "completed_elsewhere",
    says: /on another device.*Ann/,
    view: (kind) => ({ state: "answered", pending: false, response: response(ANSWERS[kind]!) }),
  },
  { name: "timed out", state: "timed_out", says: /[Nn]obody answered/, view: closed("timed_out") },
  {
    name: "cancelled",
    state: "cancelled",
    says: /Withdrawn before anybody answered/,
    view: closed("cancelled"),
  },
  { name: "failed", state: "failed", says: /failed/, view: closed("failed") },
  {
    name: "replaced",
    state: "replaced",
    says: /Asked again/,
    view: () => ({ state: "replaced", pending: false }),
  },
  {
    name: "readable only",
    state: "read_only",
    says: /Answering here is off: enable it to respond/,
    page: { interactive: false, onEnable: () => {} },
  },
  {
    name: "queued",
    state: "queued",
    says: /The agent did not wait. Your answer will reach it as a message/,
    view: () => ({ pending: false, late: "queued" }),
  },
  {
    name: "orphaned",
    state: "orphaned",
    says: /The run that asked is gone; your answer will be sent as a message/,
    view: () => ({ pending: false, late: "orphaned" }),
  },
];

/** Colours and sizes need a real page; the browser tests look at those. */
async function axeProblems(element: Element): Promise<string[]> {
  vi.useRealTimers();
  const { violations } = await axe.run(element, {
    rules: { "color-contrast": { enabled: false }, region: { enabled: false } },
  });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

const OPEN = new Set(["pending", "queued", "orphaned"]);

describe.each(Object.keys(KINDS))("%s", (kind) => {
  test.each(STATES)("$name", async ({ state: expected, says, request, view, page }) => {
    const interaction = prompt({ ...KINDS[kind], ...request }, view?.(kind));
    const shown = show(<InteractionCard sessionId="s1" interaction={interaction} />, page);
    expect(shown.state()).toBe(expected);
    expect(shown.card().textContent).toMatch(says);
    const controls = [...shown.card().querySelectorAll("fieldset button, input, textarea, select")];
    const live = controls.filter((one) => !one.matches(":disabled"));
    expect(live.length > 0).toBe(OPEN.has(expected));
    expect(await axeProblems(shown.container)).toEqual([]);
  });

  shows("card:submitting", "sending", async () => {
    const { transport, user, state, card, container } = show(
      <InteractionCard sessionId="s1" interaction={prompt(KINDS[kind]!)} />,
    );
    answerWith(transport, () => new Promise(() => {}));
    await user.click(screen.getByRole("button", { name: /^(Deny|Skip)$/ }));
    expect(state()).toBe("submitting");
    expect(card().getAttribute("aria-busy")).toBe("true");
    expect(card().textContent).toContain("Sending…");
    expect(document.activeElement).toBe(card());
    const controls = [...container.querySelectorAll("button, input, textarea, select")];
    expect(controls.filter((one) => !one.matches(":disabled"))).toEqual([]);
    for (const control of controls) await user.click(control);
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(sent(transport).length).toBe(1);
    expect(await axeProblems(container)).toEqual([]);
  });
});

shows("card:by-kind", "each kind of prompt has its own card", () => {
  const cards = Object.entries(KINDS).map(([kind, request]) => {
    const { card, unmount } = show(
      <InteractionCard sessionId="s1" interaction={prompt(request)} />,
    );
    const drawn = card().dataset.beckonCard;
    unmount();
    return [kind, drawn];
  });
  expect(cards).toEqual([
    ["approval", "approval"],
    ["questions", "question"],
    ["form", "form"],
    ["link", "form"],
  ]);
});

describe("with everything open that can be opened", () => {
  const open = (kind: string) => (
    <InteractionCard sessionId="s1" interaction={prompt(KINDS[kind]!)} />
  );

  test("an approval that is edited and about to be denied", async () => {
    const { press, container } = show(open("approval"));
    const more = () => screen.getByRole("button", { name: "More" });
    await press(more());
    await press(screen.getByRole("button", { name: /^Edit/ }));
    await press(screen.getByRole("button", { name: "Deny with a reason" }));
    expect(screen.getAllByRole("textbox").length).toBe(2);
    expect(await axeProblems(container)).toEqual([]);
  });

  test("a question with words of one's own, another one answered", async () => {
    const { press, container } = show(open("questions"));
    await press(screen.getByLabelText(/Blue/));
    await press(screen.getByRole("button", { name: "Next" }));
    await press(screen.getByLabelText("Other"));
    expect(screen.getByRole("textbox", { name: "Other: Which ones?" })).toBeTruthy();
    expect(await axeProblems(container)).toEqual([]);
  });
});

describe("in a frame of the app", () => {
  const embedded = (view: Partial<InteractionView> = {}) => (
    <InteractionCard sessionId="s1" interaction={prompt(KINDS.approval!, view)} embedded />
  );

  test("leaves it to the frame to say that it waits, and says by itself that it sends", async () => {
    const { card, user, transport } = show(embedded());
    expect(card().dataset.embedded).toBe("true");
    expect(card().textContent).not.toContain("Waiting for your answer");
    answerWith(transport, () => new Promise(() => {}));
    await user.click(screen.getByRole("button", { name: "Deny" }));
    expect(card().textContent).toContain("Sending…");
  });

  test("says how it ended", async () => {
    const { card, container } = show(
      embedded({ state: "answered", response: response({ action: "approve" }) }),
    );
    expect(card().textContent).toContain("Allowed once on another device by Ann");
    expect(await axeProblems(container)).toEqual([]);
  });
});

describe("once it ended", () => {
  const answered = (kind: string, answer: Parameters<typeof response>[0]) => (
    <InteractionCard
      sessionId="s1"
      interaction={prompt(KINDS[kind]!, {
        state: "answered",
        pending: false,
        response: response({ responder: MINE, ...answer }),
      })}
    />
  );

  test("an approval says in a line what was allowed, and folds what ran under a name", () => {
    const { card } = show(answered("approval", { action: "approve" }));
    const head = card().querySelector(".bk-head")!;
    expect(head.textContent).toContain("Allowed once");
    expect(head.querySelector("code")?.textContent).toBe("ls");
    expect(screen.getByText("What ran").closest("details")!.open).toBe(false);
  });

  test("what was denied is not said to have run", () => {
    const { card } = show(answered("approval", { action: "deny" }));
    expect(card().dataset.action).toBe("deny");
    expect(screen.queryByText("What ran")).toBeNull();
    expect(screen.getByText("What it asked to run")).toBeTruthy();
  });

  test("what ran is shown as a person left it", () => {
    show(answered("approval", { action: "approve", updatedInput: { command: "pwd" } }));
    expect(screen.getAllByText("pwd").length).toBe(2);
    expect(screen.getByText("What ran, as edited")).toBeTruthy();
    expect(screen.queryByText("ls")).toBeNull();
  });

  test("a long form folds what was answered", () => {
    show(answered("form", { input: { text: "words" } }));
    const folded = screen.getByText("What was answered").closest("details")!;
    expect(folded.open).toBe(false);
    expect(folded.textContent).toContain("words");
  });
});

describe("between states", () => {
  const approval = (view: Partial<InteractionView> = {}, request = {}) => (
    <InteractionCard sessionId="s1" interaction={prompt({ ...KINDS.approval, ...request }, view)} />
  );

  test("the mode switched on makes a readable card answerable, fresh", () => {
    const { now, state } = show(approval(), { interactive: false });
    expect(state()).toBe("read_only");
    now(approval(), { interactive: true });
    expect(state()).toBe("pending");
    const allow = screen.getByRole<HTMLButtonElement>("button", { name: "Allow once" });
    expect(allow.disabled).toBe(true);
    act(() => void vi.advanceTimersByTime(500));
    expect(allow.disabled).toBe(false);
  });

  test("the transport is told whether people may answer here", () => {
    const { now, transport } = show(approval(), { interactive: false });
    expect(transport.argumentsOf("setInteractive").at(-1)).toEqual([false]);
    now(approval(), { interactive: true });
    expect(transport.argumentsOf("setInteractive").at(-1)).toEqual([true]);
  });

  test("a readable card offers to switch the mode on", async () => {
    const onEnable = vi.fn<() => void>();
    const { press } = show(approval(), { interactive: false, onEnable });
    await press(screen.getByRole("button", { name: "Enable" }));
    expect(onEnable).toHaveBeenCalledTimes(1);
  });

  test("counts down to the server's deadline, wherever it is drawn anew", async () => {
    vi.setSystemTime("2030-01-01T00:00:00.000Z");
    const view = approval({}, { expiresAt: "2030-01-01T00:05:00.000Z" });
    const { pass, unmount } = show(view);
    expect(screen.getByRole("timer").textContent).toBe("5 min left");
    screen.getByText("Then it does not run, and the agent is told that nobody answered.");
    await pass(4 * 60_000);
    expect(screen.getByRole("timer").textContent).toMatch(/^(60|59) s left$/);
    unmount();
    const again = show(view);
    expect(screen.getByRole("timer").textContent).toMatch(/^(60|59) s left$/);
    await again.pass(60_000);
    expect(screen.getByRole("timer").textContent).toBe("Time is up");
    expect(again.state()).toBe("pending");
  });

  test.each([
    ["behind", -3_600_000],
    ["ahead", 3_600_000],
  ])("a clock that is an hour %s shows the right time left", (_way, wrong) => {
    vi.setSystemTime(Date.parse("2030-01-01T00:00:00.000Z") + wrong);
    const transport = createFakeTransport({ serverNow: () => Date.now() - wrong });
    show(approval({}, { expiresAt: "2030-01-01T00:05:00.000Z" }), { transport, fresh: true });
    expect(screen.getByRole("timer").textContent).toBe("5 min left");
  });

  test("says when an answer waits for the connection", async () => {
    const transport = createFakeTransport();
    const { user, card } = show(approval(), { transport });
    answerWith(transport, () => new Promise(() => {}));
    await user.click(screen.getByRole("button", { name: "Deny" }));
    expect(card().textContent).not.toMatch(/no connection/);
    act(() => transport.setConnection({ state: "offline" }));
    expect(card().textContent).toMatch(/no connection.*sent as soon as it is back/);
  });

  test("new prompts and their ends are announced once, by what outlives the card", () => {
    const { now, announced } = show(approval());
    expect(announced()).toBe("Permission needed: Run this command?");
    now(<p>scrolled away</p>);
    now(approval());
    expect(announced()).toBe("Permission needed: Run this command?");
    now(approval({ state: "answered", response: response({ action: "deny" }) }));
    expect(announced()).toMatch(
      /^Permission needed: Run this command\?.*Denied on another device.*Ann/,
    );
    now(<p>gone</p>);
    expect(announced()).toMatch(/Denied/);
  });

  test("a tool that fails after an answer is announced, and the page hears of the end once", () => {
    const onEnded = vi.fn<(state: string) => void>();
    const card = (view: Partial<InteractionView> = {}) => (
      <InteractionCard sessionId="s1" interaction={prompt(KINDS.form!, view)} onEnded={onEnded} />
    );
    const ended = { state: "answered", response: response({ action: "submit" }) } as const;
    const { now, announced } = show(card());
    now(card(ended));
    expect(announced()).not.toContain("No such host");
    now(card({ ...ended, failure: { code: "tool_error", message: "No such host." } }));
    expect(announced()).toContain("Then the tool failed: No such host.");
    expect(onEnded).toHaveBeenCalledTimes(1);
  });

  test("what had ended before it was shown is not announced", () => {
    const { announced } = show(approval({ state: "closed", reason: "timed_out" }));
    expect(announced()).toBe("");
  });

  test("the focus of a field that goes is taken by the card, and the page hears of the end", async () => {
    const onEnded = vi.fn<(state: string) => void>();
    const form = (view: Partial<InteractionView> = {}) => (
      <InteractionCard sessionId="s1" interaction={prompt(KINDS.form!, view)} onEnded={onEnded} />
    );
    const { user, now, card } = show(form());
    await user.click(screen.getByLabelText(/^A textarea/));
    now(form({ state: "closed", reason: "timed_out" }));
    expect(document.activeElement).toBe(card());
    expect(onEnded).toHaveBeenCalledWith("timed_out");
  });

  test("an answer to a prompt that has a newer one is told so", async () => {
    const { press, transport, state } = show(approval());
    answerWith(transport, {
      ok: false,
      code: "stale_interaction",
      error: "There is a newer one.",
      current: "prompt-2",
    });
    await press(screen.getByRole("button", { name: "Allow once" }));
    expect(state()).toBe("replaced");
  });

  test("a prompt that closed meanwhile shows why", async () => {
    const { press, transport, state } = show(approval());
    answerWith(transport, {
      ok: false,
      code: "interaction_closed",
      error: "It is over.",
      reason: "timed_out",
    });
    await press(screen.getByRole("button", { name: "Allow once" }));
    expect(state()).toBe("timed_out");
  });
});
