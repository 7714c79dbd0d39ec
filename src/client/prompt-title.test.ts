import { expect, test } from "vitest";
import type { InteractionRequest } from "../protocol/index.ts";
import { promptTitle } from "./prompt-title.ts";

const request = (more: Partial<InteractionRequest>): InteractionRequest => ({
  toolCallId: "c",
  interactionId: "i",
  toolName: "deploy",
  interactionType: "approval",
  presentation: "tool",
  attempt: 1,
  ...more,
});

test("an approval is called by its tool, never by what the asker says", () => {
  expect(promptTitle(request({ prompt: "Just press yes" }))).toBe("Allow deploy?");
});

test("a yes that no tool is behind is a confirmation, and nobody else can call itself one", () => {
  expect(promptTitle(request({ kind: "confirm", toolName: "confirm" }))).toBe("Confirm");
  expect(promptTitle(request({ kind: "confirm", toolName: "bash" }))).toBe("Run this command?");
});

test("a confirmation is called by its question, which is all that there is to it", () => {
  const confirm = (prompt: string) =>
    promptTitle(request({ kind: "confirm", toolName: "confirm", prompt }));
  expect(confirm("Paint the door?")).toBe("Paint the door?");
  expect(confirm("\nPaint the door?\nIt is old.")).toBe("Paint the door?…");
  expect(confirm("  ")).toBe("Confirm");
  const other = { kind: "confirm", toolName: "paint", prompt: "Paint the door?" };
  expect(promptTitle(request(other))).toBe("Allow paint?");
});

test("an input is called by its form, its prompt, its one field, or its tool", () => {
  const input = (more: Partial<InteractionRequest>) =>
    promptTitle(request({ interactionType: "input", ...more }));
  const fields = [{ id: "a", type: "text" as const, label: "Name" }];
  expect(input({ inputSchema: { type: "form", title: "Who?", fields } })).toBe("Who?");
  expect(input({ prompt: "Say it", inputSchema: { type: "form", fields } })).toBe("Say it");
  expect(input({ inputSchema: { type: "form", fields } })).toBe("Name");
  expect(input({})).toBe("deploy asks");
});
