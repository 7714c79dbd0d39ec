import { expect, test } from "vitest";
import type { InteractionRequest } from "../protocol/index.ts";
import { askerSays } from "./asker-says.ts";

const said = (more: Partial<InteractionRequest>) =>
  askerSays({
    toolCallId: "c",
    interactionId: "p",
    toolName: "backup_run",
    interactionType: "approval",
    presentation: "tool",
    attempt: 1,
    prompt: "The disk is nearly full.",
    ...more,
  });
const says = (more: Partial<InteractionRequest>) => said(more)[0];

test("a program that asks is named, and only an agent is called that", () => {
  const machine = { name: "nightly-backup", kind: "machine" } as const;
  expect(says({ asker: machine })?.who).toBe("nightly-backup says");
  expect(says({ asker: { name: "Owner", kind: "person" } })?.who).toBe("Owner says");
  expect(says({ asker: { name: "demo", kind: "agent" } })?.who).toBe("The agent says");
  expect(says({ context: { askedBy: "deploy.sh" } })?.who).toBe("deploy.sh says");
  expect(says({})?.who).toBe("The agent says");
});

test("words that a tool says before each of its calls are the tool's, whoever calls it", () => {
  const written = { promptBy: "tool" } as const;
  const machine = { name: "nightly-backup", kind: "machine" } as const;
  expect(says({ ...written, asker: { name: "demo", kind: "agent" } })?.who).toBe("backup_run says");
  expect(says({ ...written, asker: machine })?.who).toBe("backup_run says");
});

test("words that repeat the title, and no words, are not said again", () => {
  expect(said({ prompt: "Allow backup_run?" })).toEqual([]);
  expect(said({ prompt: undefined })).toEqual([]);
});

test("what a command's caller wrote into its input for people are the caller's words", () => {
  const command = { toolName: "bash", toolInput: { command: "ls", description: "A look" } };
  const machine = { name: "nightly-backup", kind: "machine" } as const;
  expect(said({ ...command, prompt: undefined })).toEqual([
    { who: "The agent says", words: "A look" },
  ]);
  expect(said({ ...command, prompt: undefined, asker: machine })).toEqual([
    { who: "nightly-backup says", words: "A look" },
  ]);
  expect(said({ ...command, promptBy: "tool" })).toEqual([
    { who: "bash says", words: "The disk is nearly full." },
    { who: "The agent says", words: "A look" },
  ]);
  expect(said({ ...command, prompt: "A look" })).toHaveLength(1);
  expect(said({ ...command, toolName: "deploy", prompt: undefined })).toEqual([]);
});
