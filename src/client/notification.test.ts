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
  const asker = { name: "nightly-backup", kind: "machine" } as const;
  expect(notification({ ...confirm, asker })).toEqual({
    title: "Confirm",
    about: "nightly-backup says: Deploy?",
  });
});

test("words of an asker are never without their asker", () => {
  const release = { toolName: "release", toolInput: { tag: "v2" }, prompt: "All is well." };
  expect(notification(release).about).toBe("The agent says: All is well.");
  const written = notification({ ...release, promptBy: "tool" });
  expect(written.about).toBe("release says: All is well.");
  const machine = { name: "ci\u202e", kind: "machine" } as const;
  const asked = { interactionType: "input", prompt: "Which city?" } as const;
  expect(notification({ ...asked, asker: machine }).about).toBe("ci\\u{202E} asks: Which city?");
  const context = { askedBy: "cron" };
  expect(notification({ ...asked, context }).about).toBe("cron asks: Which city?");
  expect(notification({ ...release, prompt: undefined }).about).toBe('{"tag":"v2"}');
  expect(notification({ interactionType: "input" }).about).toBe("The agent asks");
});

test("of a question it says the question, and is no permission", () => {
  const question = { header: "City", question: "Which city?", options: [], multiSelect: false };
  const asked = { interactionType: "input", questions: [question] } as const;
  expect(notification({ ...asked, questions: [question] })).toEqual({
    title: "A question for you",
    about: "The agent asks: Which city?",
  });
  const inputSchema = {
    type: "form" as const,
    fields: [{ id: "a", type: "text" as const, label: "Where to?" }],
  };
  expect(notification({ interactionType: "input", inputSchema }).about).toBe(
    "The agent asks: Where to?",
  );
});
