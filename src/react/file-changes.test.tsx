import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { createFakeTransport } from "../testing/fake-transport.ts";
import { prompt, response } from "../../test/components/prompts.ts";
import { freshPage, show } from "../../test/components/show.tsx";
import type { FileChange, InteractionRecord, InteractionRequest } from "../protocol/index.ts";
import { ToolApproval } from "./index.ts";

freshPage();

const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });
const approval = (
  request: Partial<InteractionRequest>,
  view: Parameters<typeof prompt>[1] = {},
) => (
  <ToolApproval
    sessionId="s1"
    interaction={prompt(
      {
        interactionType: "approval",
        toolName: "Write",
        toolInput: { file_path: "/srv/a.ts", content: "const a = 2;\n" },
        context: { cwd: "/srv" },
        ...request,
      },
      view,
    )}
  />
);

const edit: FileChange = {
  path: "/srv/a.ts",
  kind: "edit",
  oldText: "const a = 1;\n",
  newText: "const a = 2;\n",
};
const large: FileChange = {
  path: "/srv/b.ts",
  kind: "add",
  newText: Array.from({ length: 400 }, (_, at) => `line ${at}\n`).join(""),
};

test("a write over a file shows what changes in it, word by word, and its path once", () => {
  const { card } = show(approval({ changes: [edit] }));
  expect(card().querySelector("del")?.textContent).toBe("- const a = 1;\n");
  expect([...card().querySelectorAll("mark")].map((one) => one.textContent)).toEqual(["1", "2"]);
  expect(card().querySelector("figcaption")?.textContent).toContain("a.ts +1 −1");
  expect(card().textContent).not.toContain("/srv/a.ts");
});

test("several files are a list first, then a diff of each", () => {
  const { card } = show(
    approval({
      toolName: "apply_patch",
      toolInput: {},
      changes: [
        edit,
        { path: "/srv/old.ts", kind: "delete", oldText: "x\ny\n" },
        { path: "/srv/one.ts", kind: "move", to: "/srv/two.ts" },
      ],
    }),
  );
  const list = within(card()).getByRole("list", { name: "Files" });
  expect([...list.children].map((one) => one.textContent?.trim())).toEqual([
    "a.ts +1 −1",
    "Delete old.ts −2",
    "Move one.ts to two.ts",
  ]);
  expect(card().querySelectorAll("[data-beckon-view=change]")).toHaveLength(3);
  expect(card().textContent).toContain("Change 3 files?");
});

test("a large change is folded, says how many lines, and is allowed only once it was opened", async () => {
  const { card, pass, press } = show(approval({ changes: [edit, large] }));
  const folded = card().querySelector<HTMLDetailsElement>("[data-beckon-large]")!;
  expect(folded.open).toBe(false);
  expect(folded.querySelector("summary")?.textContent).toContain("400 lines change");
  expect(folded.textContent).toContain("+ line 399");
  await pass(10_000);
  expect(button("Allow once").disabled).toBe(true);
  expect(button("Deny").disabled).toBe(false);
  await press(button("Go to the end"));
  expect(folded.open).toBe(true);
  await pass(1_000);
  expect(button("Allow once").disabled).toBe(false);
});

test("changes that the event only counts are read before anything can be allowed", async () => {
  const transport = createFakeTransport();
  let deliver: (record: InteractionRecord) => void = () => {};
  transport.script("interaction", () => new Promise((resolve) => (deliver = resolve)));
  const { card, pass } = show(approval({ changesBytes: 100_000 }), { transport });
  await pass(10_000);
  expect(button("Allow once").disabled).toBe(true);
  expect(screen.getByText(/98 KiB/)).toBeTruthy();
  const { request } = prompt({ toolInput: {}, changes: [edit] });
  deliver({ request } as InteractionRecord);
  await pass(0);
  await pass(499);
  expect(card().querySelector("ins")?.textContent).toBe("+ const a = 2;\n");
  expect(button("Allow once").disabled).toBe(true);
  await pass(1);
  expect(button("Allow once").disabled).toBe(false);
});

test("what hides in a line or a path is visible there too, also where words are marked", () => {
  const hidden = { ...edit, path: "/srv/a\u202E.ts", newText: "const a = \u200B2;\n" };
  const { card } = show(approval({ changes: [hidden] }));
  expect(card().textContent).not.toMatch(/[\u202E\u200B]/);
  expect(card().querySelector("ins")?.textContent).toBe("+ const a = \\u{200B}2;\n");
});

test("what a person made of the input is shown, and not the changes that were asked about", () => {
  const answer = response({
    action: "approve",
    updatedInput: { file_path: "/srv/a.ts", content: "edited" },
  });
  const { card } = show(approval({ changes: [edit] }, { state: "answered", response: answer }));
  expect(card().querySelector("ins")).toBeNull();
  expect(card().textContent).toContain("edited");
});
