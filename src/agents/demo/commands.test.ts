import { expect, test } from "vitest";
import { parseCommand, splitUses } from "./commands.ts";

test("any text without a slash is something to reply to", () => {
  expect(parseCommand("hello")).toEqual({ kind: "say" });
  expect(parseCommand("see a/b")).toEqual({ kind: "say" });
});

test("/call names a tool and gives it JSON, over several lines too", () => {
  expect(parseCommand('/call ask_user {\n"question": "Why?"}')).toEqual({
    kind: "call",
    use: { tool: "ask_user", input: { question: "Why?" } },
  });
});

test("a tool without JSON gets an empty object", () => {
  expect(parseCommand("/call now")).toEqual({ kind: "call", use: { tool: "now", input: {} } });
});

test("the space between tool and JSON may be missing", () => {
  expect(parseCommand('/call now{"a":1}')).toMatchObject({ use: { tool: "now", input: { a: 1 } } });
});

test("/parallel splits at the bar", () => {
  expect(parseCommand('/parallel a {"n":1} | b | c {"n":3}')).toEqual({
    kind: "parallel",
    uses: [
      { tool: "a", input: { n: 1 } },
      { tool: "b", input: {} },
      { tool: "c", input: { n: 3 } },
    ],
  });
});

test("a bar inside a JSON string does not split, even after an escaped quote", () => {
  expect(splitUses('a {"x":"1 | 2"} | b {"x":"\\" | "}')).toEqual([
    'a {"x":"1 | 2"} ',
    ' b {"x":"\\" | "}',
  ]);
});

test.each([
  ["/call", "name is missing"],
  ["/parallel", "name is missing"],
  ["/parallel a {} |", "name is missing"],
  ["/call ask_user {oops}", "arguments of ask_user are not JSON"],
  ['/parallel a {"n":1} | b {"n":}', "arguments of b are not JSON"],
  ['/call a {"x":1,"x":2}', 'The key "x" stands twice'],
  ['/call a {"__proto__":{}}', "is not allowed"],
  ["/dance", "I do not know /dance"],
])("%s is answered with what is wrong", (text, problem) => {
  const command = parseCommand(text);
  expect(command).toMatchObject({ kind: "malformed", problem: expect.stringContaining(problem) });
});
