import { expect, test } from "vitest";
import type { InteractionRequest } from "../protocol/index.ts";
import { approvalTitle } from "./approval-title.ts";
import { coveredBy } from "./approval-scope.ts";

const request = (toolName: string, toolInput?: unknown, more: object = {}): InteractionRequest => ({
  toolCallId: "c",
  interactionId: "i",
  toolName,
  toolInput,
  interactionType: "approval",
  presentation: "tool",
  attempt: 1,
  ...more,
});
const title = (toolName: string, toolInput?: unknown) =>
  approvalTitle(request(toolName, toolInput));

test.each([
  ["bash", { command: "ls" }, "Run this command?"],
  ["Bash", undefined, "Run this command?"],
  ["shell", { command: "ls" }, "Run this command?"],
  ["Edit", { file_path: "/srv/app/compute.ts" }, "Change compute.ts?"],
  ["Edit", { file_path: "C:\\app\\compute.ts" }, "Change compute.ts?"],
  ["NotebookEdit", { notebook_path: "a/b.ipynb" }, "Change b.ipynb?"],
  ["apply_patch", { patch: "…" }, "Change files?"],
  ["Write", { file_path: "notes/" }, "Write notes?"],
  ["Write", { file_path: "/" }, "Write /?"],
  ["Read", { file_path: "/etc/passwd" }, "Read passwd?"],
  ["WebFetch", { url: "https://user@example.com:8080/x" }, "Open example.com:8080?"],
  ["WebFetch", { url: "not an address" }, "Open a page?"],
  ["ExitPlanMode", {}, "Go ahead with this plan?"],
])("%s with %j is asked about as “%s”", (toolName, input, expected) => {
  expect(title(toolName, input)).toBe(expected);
});

test("a tool of any other name is asked about by its name, whatever its input looks like", () => {
  expect(title("deploy", { command: "ls" })).toBe("Allow deploy?");
  expect(title("mcp__x__Bash", { command: "ls" })).toBe("Allow mcp__x__Bash?");
  expect(title("constructor", {})).toBe("Allow constructor?");
});

test("a file name of many lines or letters does not push the rest of the card away", () => {
  expect(title("Edit", { file_path: `a\n${"b\n".repeat(99)}` })).toBe("Change a…?");
  expect(title("Edit", { file_path: "a".repeat(9_999) }).length).toBeLessThan(140);
});

test("a scope says what it covers: the exact command, and the folder where that is remembered", () => {
  const inFolder = request("bash", { command: "ls", cwd: "/srv" });
  expect(coveredBy(inFolder, "once")).toBe("Only this time.");
  expect(coveredBy(inFolder, "session")).toBe(
    "This exact command, in this folder, in this session.",
  );
  expect(coveredBy(request("Bash", { command: "ls" }), "always")).toBe(
    "This exact command, in every session, until you revoke it.",
  );
  expect(coveredBy(request("deploy", { cwd: "/srv" }), "session")).toBe(
    "Whenever deploy asks for the same again, in this session.",
  );
});

test("what only the tool could keep is promised by nobody else", () => {
  const asked = { ...request("deploy", {}), rememberedBy: "tool" } as const;
  expect(coveredBy(asked, "session")).toBe(
    "deploy decides what it remembers of this, in this session.",
  );
  expect(coveredBy(asked, "once")).toBe("Only this time.");
});
