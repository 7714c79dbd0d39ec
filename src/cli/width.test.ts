import { expect, test } from "vitest";
import { cut, widthOf, wrap } from "./width.ts";

test("wide characters take two columns, marks and colours none", () => {
  expect(widthOf("日本")).toBe(4);
  expect(widthOf("e\u0301")).toBe(1);
  expect(widthOf("🎉")).toBe(2);
  expect(widthOf("\u001B[1mbold\u001B[0m")).toBe(4);
});

test("a text that is too wide is cut where it is too wide", () => {
  expect(cut("abcdef", 6)).toBe("abcdef");
  expect(cut("abcdef", 5)).toBe("abcd…");
  expect(cut("日本語", 5)).toBe("日本…");
});

test("lines break between words, else anywhere, and nothing is lost", () => {
  expect(wrap("one two three", 8)).toEqual(["one two ", "three"]);
  expect(wrap("abcdefghij", 4)).toEqual(["abcd", "efgh", "ij"]);
  expect(wrap("日本語", 3).join("")).toBe("日本語");
  expect(wrap("", 5)).toEqual([""]);
});
