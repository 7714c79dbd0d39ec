import { expect, test } from "vitest";
import { parseKeys } from "./keys.ts";

const names = (input: string) => parseKeys(input).keys.map(({ name, text }) => text || name);

test("keys are told apart, also when they come together", () => {
  expect(names("aé🎉\r\u001B[A\u001B[B\u001B\u007F")).toEqual([
    "a",
    "é",
    "🎉",
    "enter",
    "up",
    "down",
    "escape",
    "backspace",
  ]);
});

test("a paste is one thing, whatever is in it", () => {
  const { keys } = parseKeys("\u001B[200~a\r\u001B[Ab\u001B[201~x");
  expect(keys).toEqual([
    { name: "paste", text: "a\r\u001B[Ab" },
    { name: "text", text: "x" },
  ]);
});

test("what has not ended yet waits for its end", () => {
  expect(parseKeys("a\u001B[20")).toEqual({
    keys: [{ name: "text", text: "a" }],
    unread: "\u001B[20",
  });
  const { keys, unread } = parseKeys("\u001B[200~half");
  expect(keys).toEqual([]);
  expect(names(`${unread} and half\u001B[201~`)).toEqual(["half and half"]);
});

test("keys that mean nothing here are no text", () => {
  expect(names("\u001B[15~\u001B[1;5C\u0000")).toEqual(["unknown", "unknown", "unknown"]);
});
