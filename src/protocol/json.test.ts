import { expect, test } from "vitest";
import { canonicalJson, parseJson, ProtocolError } from "./index.ts";

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const keys = (count: number) =>
  JSON.stringify(
    Object.fromEntries(Array.from({ length: count }, (_one, index) => [`k${index}`, 1])),
  );

test.each([
  ["plain values", '{"a":[1,"x",null,true],"b":{"a":1}}'],
  ["the same key in two objects", '[{"a":1},{"a":2}]'],
  ["a brace, a quote and a comma inside a text", '{"a":"}{\\",[","b":1}'],
  ["numbers of every form", "[0,-1,1.5,1e3,-2E-7,9007199254740993]"],
  ["characters that need two halves", '["\\ud83d\\ude00","😀"]'],
  ["the deepest nesting", nested(32)],
  ["the most keys", keys(2_000)],
  ["the longest text", JSON.stringify("x".repeat(65_536))],
])("%s can be read", (_name, text) => {
  expect(parseJson(text)).toEqual(JSON.parse(text));
});

test.each([
  ["text that is not JSON", "{", "invalid_request"],
  ["a key that stands twice", '{"a":1,"a":2}', "invalid_request"],
  ["a key that stands twice, once escaped", '{"a":1,"\\u0061":2}', "invalid_request"],
  ["a key that reaches the prototype", '{"x":{"__proto__":{}}}', "invalid_request"],
  ["the same key, escaped", '{"__pr\\u006fto__":1}', "invalid_request"],
  ["a constructor", '{"constructor":1}', "invalid_request"],
  ["a number that no number can hold", "[-1e999]", "invalid_request"],
  ["a number with too many digits", `[${"9".repeat(400)}]`, "invalid_request"],
  ["half a character", '["\ud800"]', "invalid_request"],
  ["half a character, escaped", '{"\\udc00":1}', "invalid_request"],
  ["nesting one level too deep", nested(33), "invalid_request"],
  ["one key too many", keys(2_001), "invalid_request"],
  ["a text one byte too long", JSON.stringify("x".repeat(65_537)), "too_large"],
  ["a text too long in bytes, not in characters", JSON.stringify("€".repeat(21_846)), "too_large"],
])("%s is refused", (_name, text, code) => {
  expect(() => parseJson(text)).toThrow(ProtocolError);
  expect(() => parseJson(text)).toThrow(expect.objectContaining({ code }));
});

test("equal values have equal canonical text, whatever the order of their keys", () => {
  const one = { b: [{ y: 1, x: 2 }], a: null };
  const other = { a: null, b: [{ x: 2, y: 1 }] };
  expect(canonicalJson(one)).toBe(canonicalJson(other));
  expect(canonicalJson(one)).not.toBe(canonicalJson({ ...one, a: 0 }));
});

test("the canonical text is that of a value whose keys were put in order", () => {
  const value = JSON.parse('{"b":[{"d":1,"c":{}}],"10":2,"9":null,"__proto__":{"z":1,"a":"x"}}');
  value.at = new Date(0);
  value.nothing = undefined;
  expect(canonicalJson(value)).toBe(
    '{"9":null,"10":2,"__proto__":{"a":"x","z":1},"at":"1970-01-01T00:00:00.000Z","b":[{"c":{},"d":1}]}',
  );
});
