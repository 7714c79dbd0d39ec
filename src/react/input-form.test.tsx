import { act, fireEvent, screen, within } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { prompt, response } from "../../test/components/prompts.ts";
import { answerWith, freshPage, sent, show } from "../../test/components/show.tsx";
import { shows } from "../../test/support/shows.ts";
import type { Field, InputSchema, InteractionRequest } from "../protocol/index.ts";
import { InputForm, useInputForm } from "./index.ts";

freshPage();

const OPTIONS = [
  { value: "a", label: "First" },
  { value: "b", label: "Second", description: "The other one" },
];
const FIELDS: Field[] = [
  { id: "name", type: "text", label: "Name", required: true, description: "As on the door" },
  { id: "note", type: "textarea", label: "Note" },
  { id: "count", type: "number", label: "Count", min: 1, max: 9 },
  { id: "sure", type: "boolean", label: "Sure" },
  { id: "agree", type: "checkbox", label: "Agree" },
  { id: "extras", type: "checkbox", label: "Extras", options: OPTIONS },
  { id: "pick", type: "select", label: "Pick", options: OPTIONS },
  { id: "many", type: "multiselect", label: "Many", options: OPTIONS },
  { id: "one", type: "radio", label: "One", options: OPTIONS },
  { id: "day", type: "date", label: "Day" },
  { id: "hour", type: "time", label: "Hour" },
  { id: "moment", type: "datetime", label: "Moment" },
  { id: "key", type: "secret", label: "Key" },
];

const form = (
  schema: Omit<InputSchema, "type">,
  request: Partial<InteractionRequest> = {},
  view: Parameters<typeof prompt>[1] = {},
) => (
  <InputForm
    sessionId="s1"
    interaction={prompt({ inputSchema: { type: "form", ...schema }, ...request }, view)}
  />
);
const submit = () => screen.getByRole<HTMLButtonElement>("button", { name: "Submit" });
const field = (name: string | RegExp) =>
  screen.getByLabelText<HTMLInputElement>(name, { selector: "input, textarea, select" });

describe("fields", () => {
  shows("page:form", "every type is filled in and sent as the protocol has it", async () => {
    const { user, press, transport } = show(form({ fields: FIELDS }));
    await user.type(field(/^Name/), "Ann");
    await user.type(field("Note"), "Two{Enter}lines");
    await user.type(field("Count"), "3");
    await user.click(field("Agree"));
    await user.click(within(screen.getByRole("group", { name: "Extras" })).getByLabelText("First"));
    await user.selectOptions(field("Pick"), "b");
    for (const box of within(screen.getByRole("group", { name: "Many" })).getAllByRole("checkbox"))
      await user.click(box);
    await user.click(within(screen.getByRole("radiogroup")).getByLabelText(/Second/));
    fireEvent.change(field("Day"), { target: { value: "2030-01-31" } });
    fireEvent.change(field("Hour"), { target: { value: "23:59" } });
    fireEvent.change(field("Moment"), { target: { value: "2030-01-31T23:59" } });
    await user.type(field("Key"), "hush");
    await press(submit());
    expect(sent(transport)[0]?.body).toMatchObject({
      action: "submit",
      input: {
        name: "Ann",
        note: "Two\nlines",
        count: 3,
        sure: false,
        agree: true,
        extras: ["a"],
        pick: "b",
        many: ["a", "b"],
        one: "b",
        day: "2030-01-31",
        hour: "23:59",
        moment: "2030-01-31T23:59",
        key: "hush",
      },
    });
  });

  test("what was left empty is left out", async () => {
    const { press, transport } = show(
      form({ fields: FIELDS.filter(({ id }) => !["name", "sure", "agree"].includes(id)) }),
    );
    await press(submit());
    expect(sent(transport)[0]?.body.input).toEqual({});
  });

  test("begins with the initial values, then the defaults", () => {
    show(
      form({
        fields: [
          { id: "a", type: "text", label: "A", defaultValue: "default" },
          { id: "b", type: "number", label: "B", defaultValue: 4 },
          { id: "c", type: "radio", label: "C", options: OPTIONS },
          { id: "d", type: "datetime", label: "D", defaultValue: "2030-01-31T23:59:00Z" },
          { id: "e", type: "secret", label: "E", defaultValue: "never" },
        ],
        initialValues: { a: "initial", c: "b" },
      }),
    );
    expect(field("A").value).toBe("initial");
    expect(field("B").value).toBe("4");
    expect(field(/Second/).checked).toBe(true);
    expect(field("D").value).toBe("2030-01-31T23:59:00Z");
    expect(field("E").value).toBe("");
  });

  test("a missing required field is marked, described and focused; nothing is sent", async () => {
    const { user, press, transport } = show(form({ fields: FIELDS }));
    await user.type(field("Note"), "kept");
    await press(submit());
    const name = field(/^Name/);
    expect(name.getAttribute("aria-required")).toBe("true");
    expect(name.getAttribute("aria-invalid")).toBe("true");
    const described = name.getAttribute("aria-describedby")!.split(" ");
    expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual([
      "As on the door",
      "This is required.",
    ]);
    expect(document.activeElement).toBe(name);
    expect(sent(transport)).toEqual([]);
    await user.type(name, "x");
    expect(name.getAttribute("aria-invalid")).toBeNull();
    expect(field("Note").value).toBe("kept");
  });

  test("errors of the server stand at their fields, values are kept", async () => {
    const { user, press, transport } = show(form({ fields: FIELDS }));
    answerWith(transport, {
      ok: false,
      code: "invalid_response",
      error: "Some fields need another look.",
      fieldErrors: { one: "Choose one of the options.", ghost: "There is no such field." },
    });
    await user.type(field(/^Name/), "Ann");
    await press(submit());
    const group = screen.getByRole("radiogroup");
    expect(group.getAttribute("aria-invalid")).toBe("true");
    expect(group.contains(document.activeElement)).toBe(true);
    expect(screen.getByText("ghost: There is no such field.")).toBeTruthy();
    expect(field(/^Name/).value).toBe("Ann");
    expect(submit().matches(":disabled")).toBe(true);
  });

  test("once the last field that was wrong is changed, nothing says any more that one is", async () => {
    const { user, press, transport } = show(form({ fields: FIELDS }));
    answerWith(transport, {
      ok: false,
      code: "invalid_response",
      error: "Some fields need another look.",
      fieldErrors: { name: "Too short.", note: "Too long." },
    });
    await user.type(field(/^Name/), "A");
    await press(submit());
    await user.type(field(/^Name/), "nn");
    expect(screen.getByText("Some fields need another look.")).toBeTruthy();
    await user.type(field("Note"), "!");
    expect(screen.queryByText("Some fields need another look.")).toBeNull();
  });

  test("a secret says that it is not kept", () => {
    show(form({ fields: [{ ...FIELDS[12]!, description: "From the vault." }] }));
    const described = document.getElementById(field("Key").getAttribute("aria-describedby")!);
    expect(described?.textContent).toMatch(/^From the vault\. Not kept/);
  });

  test("a form of one field is called by it", () => {
    const { card, announced } = show(form({ fields: [FIELDS[1]!] }));
    expect(screen.getByRole("group", { name: "Note" })).toBe(card());
    expect(field("Note").tagName).toBe("TEXTAREA");
    expect(announced()).toBe("Answer needed: Note");
  });

  test("a tool that asks again says why, at the field, with the values of before", () => {
    show(
      form(
        { fields: FIELDS, initialValues: { name: "Ann" } },
        { error: "Try again.", fieldErrors: { name: "Taken." }, attempt: 2 },
      ),
    );
    expect(screen.getByRole("alert").textContent).toBe("Try again.");
    expect(field(/^Name/).value).toBe("Ann");
    expect(field(/^Name/).getAttribute("aria-invalid")).toBe("true");
  });
});

describe("sections", () => {
  const sections = [
    { id: "s", title: "Main", fields: [{ id: "a", type: "text", label: "A" } as Field] },
    {
      id: "o",
      title: "Postal",
      optional: true,
      fields: [
        { id: "b", type: "text", label: "Street", required: true } as Field,
        { id: "c", type: "boolean", label: "Gift" } as Field,
      ],
    },
  ];

  test("an optional one asks for nothing until it is wanted", async () => {
    const { press, user, transport } = show(form({ sections }));
    expect(screen.getByRole("group", { name: "Main" })).toBeTruthy();
    expect(screen.queryByLabelText(/Street/)).toBeNull();
    await user.type(field("A"), "x");
    await press(submit());
    expect(sent(transport)[0]?.body.input).toEqual({ a: "x" });
  });

  test("one that is wanted has its required fields", async () => {
    const { press, user, transport } = show(form({ sections }));
    await user.click(screen.getByLabelText(/Postal/));
    await press(submit());
    expect(sent(transport)).toEqual([]);
    await user.type(field(/Street/), "Main St");
    await press(submit());
    expect(sent(transport)[0]?.body.input).toEqual({ b: "Main St", c: false });
  });

  test("one that begins with values is wanted", () => {
    show(form({ sections, initialValues: { b: "Here" } }));
    expect(field(/Street/).value).toBe("Here");
  });
});

describe("drafts", () => {
  test("what was typed is there after a reload; no secret is", async () => {
    const first = show(form({ fields: FIELDS }));
    await first.user.type(field("Note"), "half");
    await first.user.type(field("Key"), "hush");
    first.unmount();
    expect(JSON.stringify(Object.entries(localStorage))).not.toContain("hush");
    show(form({ fields: FIELDS }));
    expect(field("Note").value).toBe("half");
    expect(field("Key").value).toBe("");
  });

  test("when the tool asks again, it begins with what was typed and not sent", async () => {
    const { user, now } = show(form({ fields: FIELDS }));
    await user.type(field("Note"), "half");
    now(form({ fields: FIELDS }, { attempt: 2 }, { id: "prompt-2" }));
    expect(field("Note").value).toBe("half");
  });

  test("when the tool asks again after an answer, it begins with what the tool says", async () => {
    const { user, press, now } = show(form({ fields: [FIELDS[1]!] }));
    await user.type(field("Note"), "sent");
    await press(submit());
    const initialValues = { note: "as the tool has it" };
    now(form({ fields: [FIELDS[1]!], initialValues }, { attempt: 2 }, { id: "prompt-2" }));
    expect(field("Note").value).toBe("as the tool has it");
  });

  test.each([
    ["another prompt of the same call", {}],
    ["what another program asks there", { anchored: true, toolName: "other", attempt: 2 }],
  ])("%s begins empty, though its fields have the same names", async (_which, more) => {
    const { user, now } = show(form({ fields: FIELDS }));
    await user.type(field("Note"), "half");
    now(form({ fields: FIELDS }, more, { id: "prompt-2" }));
    expect(field("Note").value).toBe("");
  });

  test("another call begins empty", async () => {
    const first = show(form({ fields: FIELDS }));
    await first.user.type(field("Note"), "half");
    first.unmount();
    show(form({ fields: FIELDS }, {}, { callId: "call-2", id: "prompt-9" }));
    expect(field("Note").value).toBe("");
  });

  test("nothing is kept where the page is refused its storage", async () => {
    const { user } = show(form({ fields: FIELDS }), { storage: null });
    await user.type(field("Note"), "half");
    expect(field("Note").value).toBe("half");
    expect(localStorage.length).toBe(0);
  });
});

describe("larger window", () => {
  shows(
    "page:form",
    "holds the same text, and closing it keeps it and answers nothing",
    async () => {
      const { user, press, transport } = show(form({ fields: FIELDS }));
      await press(screen.getByRole("button", { name: "Larger window for Note" }));
      const dialog = screen.getByRole<HTMLDialogElement>("dialog", { name: "Note" });
      await user.type(within(dialog).getByRole("textbox"), "long 12");
      await user.keyboard("{Control>}{Enter}{/Control}");
      expect(dialog.open).toBe(false);
      expect(field("Note").value).toBe("long 12");
      expect(sent(transport)).toEqual([]);
    },
  );
});

describe("answering", () => {
  shows("page:form", "labels are the form's own, Cancel sends cancel", async () => {
    const { press, transport } = show(
      form({ fields: FIELDS, submitLabel: "Send it", cancelLabel: "Leave it" }),
    );
    expect(screen.getByRole("button", { name: "Send it" })).toBeTruthy();
    await press(screen.getByRole("button", { name: "Leave it" }));
    expect(sent(transport)[0]?.body.action).toBe("cancel");
    expect(sent(transport)[0]?.body.input).toBeUndefined();
  });

  test.each([
    ["a form", { inputSchema: { type: "form" as const, fields: FIELDS } }],
    ["a link", { link: { url: "https://example.com/" } }],
  ])("%s can be declined, at once, and that is not the same as cancelled", (_what, request) => {
    const { transport } = show(<InputForm sessionId="s1" interaction={prompt(request)} />, {
      fresh: true,
    });
    const decline = screen.getByRole("button", { name: "Refuse" });
    expect(screen.getByRole("button", { name: "Skip" })).not.toBe(decline);
    expect(screen.getByText("Skip gives no answer. Refuse says no to whoever asks.")).toBeTruthy();
    fireEvent.click(decline);
    expect(sent(transport)[0]?.body.action).toBe("deny");
    expect(sent(transport)[0]?.body).not.toHaveProperty("input");
  });

  test("a fresh form cannot be submitted for half a second, but cancelled at once", () => {
    const { transport, card } = show(form({ fields: [] }), { fresh: true });
    const done = screen.getByRole("button", { name: "Done" });
    fireEvent.click(done);
    fireEvent.keyDown(card(), { key: "Enter", ctrlKey: true });
    expect(sent(transport)).toEqual([]);
    fireEvent.click(screen.getByRole("button", { name: "Skip" }));
    expect(sent(transport)[0]?.body.action).toBe("cancel");
    act(() => void vi.advanceTimersByTime(500));
  });

  test("a link is shown in full and confirmed without values", async () => {
    const url = "https://example.com/sign?in=1&x=\u202Eevil";
    const { press, transport } = show(
      <InputForm sessionId="s1" interaction={prompt({ prompt: "Sign in", link: { url } })} />,
    );
    const link = screen.getByRole<HTMLAnchorElement>("link");
    expect(link.textContent).toContain("https://example.com/sign?in=1&x=");
    expect(link.textContent).not.toContain("\u202E");
    expect(link.rel).toContain("noopener");
    await press(screen.getByRole("button", { name: "Done" }));
    expect(sent(transport)[0]?.body.action).toBe("submit");
    expect(sent(transport)[0]?.body).not.toHaveProperty("input");
  });

  test.each([
    ["https://good.example@evil.example/", "evil.example"],
    ["https://gооd.example/", "xn--gd-fmca.example"],
    ["https://good.example\\@evil.example/", "good.example"],
  ])("%s says that it leads to %s", (url, host) => {
    show(<InputForm sessionId="s1" interaction={prompt({ link: { url } })} />);
    expect(screen.getByText(host).tagName).toBe("STRONG");
  });

  test("an address of another kind is no link", () => {
    show(
      <InputForm sessionId="s1" interaction={prompt({ link: { url: "javascript:alert(1)" } })} />,
    );
    expect(screen.queryByRole("link")).toBeNull();
  });

  test("keys alone fill it in and submit it", async () => {
    const { user, transport } = show(form({ fields: [FIELDS[0]!, FIELDS[8]!] }));
    await user.keyboard("2");
    await user.tab();
    await user.keyboard("Ann 2{Enter}");
    expect(sent(transport)).toEqual([]);
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(sent(transport)[0]?.body.input).toEqual({ name: "Ann 2", one: "b" });
  });

  test("names the keys that choose only where there is something to tick", () => {
    const { card, now } = show(form({ fields: [FIELDS[8]!] }));
    expect(card().textContent).toContain("1–9 choose");
    now(form({ fields: [FIELDS[6]!] }));
    expect(card().textContent).not.toContain("1–9 choose");
  });

  test("a secret is never shown again, only that it was given", async () => {
    const { user, press, card } = show(form({ fields: [FIELDS[12]!] }));
    await user.type(field("Key"), "hush");
    await press(submit());
    expect(card().textContent).toContain("Given, not kept");
    expect(document.body.innerHTML).not.toContain("hush");
  });

  test("nothing of a secret stays in what a headless card can read", async () => {
    const interaction = prompt({ inputSchema: { type: "form", fields: [FIELDS[12]!] } });
    let model: ReturnType<typeof useInputForm> | undefined;
    const Headless = () => {
      model = useInputForm({ sessionId: "s1", interaction });
      return null;
    };
    const { pass } = show(<Headless />);
    act(() => model?.setValue("key", "hush"));
    act(() => model?.submit());
    await pass(0);
    expect(model?.card.state).toBe("completed");
    expect(model?.card.interaction.response).toMatchObject({ input: {}, secretFields: ["key"] });
    expect(JSON.stringify(model?.card.interaction)).not.toContain("hush");
  });

  test("shows what somebody else filled in, in words", () => {
    show(
      form(
        { fields: FIELDS },
        {},
        {
          state: "answered",
          response: response({ input: { name: "Bob", sure: true, many: ["a", "b"] } }),
        },
      ),
    );
    expect(screen.getByText("Bob")).toBeTruthy();
    expect(screen.getByText("Yes")).toBeTruthy();
    expect(screen.getByText("First, Second")).toBeTruthy();
  });

  shows("page:summary", "shows the tool's own summary, the values only if it asks for them", () => {
    const answered = {
      state: "answered" as const,
      response: response({ input: { name: "Bob" } }),
    };
    const completedView = {
      summaryTemplate: "The door was {{action}} by its name, {{input.name}}",
    };
    const { now, card } = show(form({ fields: FIELDS }, { completedView }, answered));
    expect(card().textContent).toContain("The door was answered by its name, Bob");
    expect(screen.queryByText("Bob")).toBeNull();
    now(
      form({ fields: FIELDS }, { completedView: { ...completedView, showInputs: true } }, answered),
    );
    expect(screen.getByText("Bob")).toBeTruthy();
  });

  test("what was typed stays readable when somebody else was first", async () => {
    const { user, now } = show(form({ fields: FIELDS }));
    await user.type(field("Note"), "my words");
    now(
      form(
        { fields: FIELDS },
        {},
        {
          state: "answered",
          response: response({ input: { note: "their words" } }),
        },
      ),
    );
    expect(screen.getByText(/not sent/)).toBeTruthy();
    expect(screen.getByText("their words")).toBeTruthy();
    expect(screen.getByText("my words")).toBeTruthy();
  });
});

test("a field may be called like something that every object has", () => {
  const ids = ["hasOwnProperty", "toString", "valueOf", "constructor"];
  show(form({ fields: ids.map((id) => ({ id, type: "text", label: id })) }));
  for (const id of ids) {
    expect(screen.getByLabelText<HTMLInputElement>(id).value).toBe("");
    expect(screen.getByLabelText(id).getAttribute("aria-invalid")).toBeNull();
  }
});
