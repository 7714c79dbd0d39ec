import { expect, test } from "vitest";
import type { InteractionRequest } from "../protocol/index.ts";
import { toNotification } from "./notification.ts";

const notification = (more: Partial<InteractionRequest>) =>
  toNotification({
    toolCallId: "c",
    interactionId: "p",
    toolName: "bash",
    interactionType: "approval",
    presentation: "tool",
    attempt: 1,
    ...more,
  });

test("of an approval it says what would run, with nothing hidden in it", () => {
  const toolInput = { command: "npm publish\u202e\nrm -rf build", cwd: "/srv" };
  expect(notification({ toolInput, prompt: "Trust me." })).toEqual({
    title: "Run this command?",
    about: "npm publish\\u{202E}…",
  });
  const change = { file_path: "/srv/compute.ts", old_string: "1", new_string: "2" };
  expect(notification({ toolName: "Edit", toolInput: change })).toEqual({
    title: "Change compute.ts?",
    about: "/srv/compute.ts",
  });
});

test("of what runs nothing it says what is asked", () => {
  const confirm = { toolName: "confirm", kind: "confirm", toolInput: {}, prompt: "Deploy?" };
  expect(notification(confirm)).toEqual({ title: "Confirm", about: "Deploy?" });
});

test("of a question it says the question, and is no permission", () => {
  const question = { header: "City", question: "Which city?", options: [], multiSelect: false };
  const asked = { interactionType: "input", questions: [question] } as const;
  expect(notification({ ...asked, questions: [question] })).toEqual({
    title: "A question for you",
    about: "Which city?",
  });
  const inputSchema = {
    type: "form" as const,
    fields: [{ id: "a", type: "text" as const, label: "Where to?" }],
  };
  expect(notification({ interactionType: "input", inputSchema }).about).toBe("Where to?");
});
