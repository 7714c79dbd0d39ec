import { expect, test } from "vitest";
import { keyOf, missing } from "./native-history.ts";

const said = (words: string) => ({ words, keys: [keyOf("text", words)] });
const ran = (id: string, words: string) => ({ words: id, keys: [`id:${id}`, keyOf("run", words)] });
const words = (entries: { words: string }[]) => entries.map((entry) => entry.words);

test("what the log has is not missing, by its id or by its words", () => {
  const entries = [said("One"), ran("c1", "ls"), ran("c2", "ls"), said("Two\n")];
  expect(words(missing(entries, []))).toEqual(["One", "c1", "c2", "Two\n"]);
  const known = [keyOf("text", "One"), "id:c2", keyOf("text", "Two")];
  expect(words(missing(entries, known))).toEqual(["c1"]);
});

test("what was done twice has to be known twice", () => {
  const entries = [said("Yes"), ran("c1", "ls"), said("Yes"), ran("c2", "ls")];
  const known = [keyOf("text", "Yes"), keyOf("run", "ls")];
  expect(words(missing(entries, known))).toEqual(["Yes", "c2"]);
  expect(missing(entries, [...known, ...known])).toEqual([]);
});

test("the same words are not the same thing", () => {
  expect(words(missing([said("ls")], [keyOf("run", "ls")]))).toEqual(["ls"]);
});
