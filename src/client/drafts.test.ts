import { expect, test } from "vitest";
import type { InteractionRequest } from "../protocol/index.ts";
import { createDrafts } from "./drafts.ts";

function memoryStorage(): Storage {
  const kept = new Map<string, string>();
  return {
    get length() {
      return kept.size;
    },
    key: (at) => [...kept.keys()][at] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
    clear: () => kept.clear(),
  };
}

const request = (inputSchema: InteractionRequest["inputSchema"]): InteractionRequest => ({
  toolCallId: "c",
  interactionId: "p",
  toolName: "t",
  interactionType: "input",
  presentation: "tool",
  attempt: 1,
  inputSchema,
});

test("what was typed is there again after a reload", () => {
  const storage = memoryStorage();
  createDrafts(storage).set("p", { name: "Ada", tags: ["a"], agreed: false });
  expect(createDrafts(storage).get("p")).toEqual({ name: "Ada", tags: ["a"], agreed: false });
});

test("a secret is never kept, in a section neither", () => {
  const storage = memoryStorage();
  const drafts = createDrafts(storage);
  const secret = { type: "secret", label: "Key" } as const;
  const form = request({
    type: "form",
    fields: [{ id: "key", ...secret }],
    sections: [{ id: "more", fields: [{ id: "pin", ...secret }] }],
  });
  drafts.set("p", { key: "hunter2", pin: "0000", name: "Ada" }, form);
  expect(drafts.get("p")).toEqual({ name: "Ada" });
  expect(
    JSON.stringify(
      [...Array(storage.length).keys()].map((at) => storage.getItem(storage.key(at) ?? "")),
    ),
  ).not.toMatch(/hunter2|0000/);
  drafts.set("p", { key: "hunter2" }, form);
  expect(storage.length).toBe(0);
});

test("a re-prompt inherits nothing from the prompt before it", () => {
  const drafts = createDrafts(memoryStorage());
  drafts.set("first", { name: "Ada" });
  expect(drafts.get("second")).toBeUndefined();
});

test("the draft of a prompt that ended is dropped, unsent messages are not", () => {
  const drafts = createDrafts(memoryStorage());
  for (const id of ["a", "b", "c"]) drafts.set(id, { text: id });
  drafts.setMessage("s", "Half a sent");
  drafts.drop("a");
  drafts.keepOnly(["c"]);
  expect(["a", "b", "c"].map((id) => drafts.get(id))).toEqual([
    undefined,
    undefined,
    { text: "c" },
  ]);
  expect(drafts.message("s")).toBe("Half a sent");
});

test("a message is kept for its session until it is empty", () => {
  const storage = memoryStorage();
  const drafts = createDrafts(storage);
  drafts.setMessage("s", "Hello");
  expect([drafts.message("s"), drafts.message("t")]).toEqual(["Hello", ""]);
  drafts.setMessage("s", "");
  expect(storage.length).toBe(0);
});

test("a storage that is full, forbidden or full of nonsense stops nobody", () => {
  const broken = new Proxy(memoryStorage(), {
    get: () => {
      throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    },
  });
  const drafts = createDrafts(broken);
  drafts.set("p", { name: "Ada" });
  drafts.keepOnly([]);
  drafts.setMessage("s", "Hello");
  expect([drafts.get("p"), drafts.message("s")]).toEqual([undefined, ""]);
  const storage = memoryStorage();
  for (const text of ["{", "null", "[]", '"text"']) {
    storage.setItem("beckon:draft:p", text);
    expect(createDrafts(storage).get("p")).toBeUndefined();
  }
});
