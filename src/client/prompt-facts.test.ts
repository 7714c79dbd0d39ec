import { expect, test } from "vitest";
import type { InteractionRequest } from "../protocol/index.ts";
import { factsOf } from "./prompt-facts.ts";

const facts = (request: Partial<InteractionRequest>) => factsOf(request as InteractionRequest);

test("what the server knows of a prompt has a name each", () => {
  const context = { cwd: "/srv", blockedPath: "/etc/passwd", reason: "outside" };
  expect(facts({ context })).toEqual([
    ["Folder", "/srv"],
    ["Path", "/etc/passwd"],
    ["Why", "outside"],
  ]);
});

test("what its runtime calls a call is told, and comes before what the context says", () => {
  expect(facts({ title: "Write a.ts", context: { title: "Older" } })).toEqual([
    ["What", "Write a.ts"],
  ]);
});

test("a program that asks is named", () => {
  const asker = { name: "nightly-backup", kind: "machine" } as const;
  expect(facts({ asker })).toEqual([["Asked by", "nightly-backup"]]);
});

test("what the model wrote into the input is no fact", () => {
  const context = { description: "Harmless" };
  expect(facts({ context, toolInput: { description: "Harmless" } })).toEqual([]);
  expect(facts({ context, toolInput: { command: "ls" } })).toEqual([["Details", "Harmless"]]);
  const path = { blockedPath: "/etc/a" };
  expect(facts({ context: path, toolInput: { file_path: "/etc/a" } })).toEqual([]);
});
