import * as fc from "fast-check";
import { expect, test } from "vitest";
import { setMember } from "./json-member.ts";

const HOOKS = { A: [1] };

test.each([
  ["{}", '{\n  "hooks": {\n    "A": [\n      1\n    ]\n  }\n}'],
  ["{ }\n", '{\n  "hooks": {\n    "A": [\n      1\n    ]\n  }\n}\n'],
  [
    '{\n\t"a": [1, 2],\n\t"b": "}"\n}\n',
    '{\n\t"a": [1, 2],\n\t"b": "}",\n\t"hooks": {\n\t\t"A": [\n\t\t\t1\n\t\t]\n\t}\n}\n',
  ],
  [
    '{ "hooks": {"old": [{"x": "\\"]}"}]}, "z": -1.5e3 }',
    '{ "hooks": {\n    "A": [\n      1\n    ]\n  }, "z": -1.5e3 }',
  ],
  [
    '{\r\n  "a": 1\r\n}',
    '{\r\n  "a": 1,\r\n  "hooks": {\r\n    "A": [\r\n      1\r\n    ]\r\n  }\r\n}',
  ],
])("%j gets a member, and the rest stays as it is", (before, after) => {
  expect(setMember(before, "hooks", HOOKS)).toBe(after);
});

test.each([
  ['{ "hooks": {} }\n', "{}\n"],
  ['{"hooks":[1,{"a":2}],"b":1}', '{"b":1}'],
  ['{\n  "a": 1,\n  "hooks": "x"\n}', '{\n  "a": 1\n}'],
  ['{\n  "a": 1,\n  "hooks": 7,\n  "b": {"hooks": 1}\n}', '{\n  "a": 1,\n  "b": {"hooks": 1}\n}'],
  ['{"b":1}', '{"b":1}'],
])("%j loses a member, and the rest stays as it is", (before, after) => {
  expect(setMember(before, "hooks", undefined)).toBe(after);
});

const Settings = fc.dictionary(
  fc.oneof(fc.constant("hooks"), fc.string()).filter((name) => name !== "__proto__"),
  fc.jsonValue(),
);

test("whatever the settings are, only this member changes", () => {
  fc.assert(
    fc.property(
      Settings,
      fc.jsonValue(),
      fc.constantFrom(0, 1, 2, "\t"),
      (settings, value, indent) => {
        const text = JSON.stringify(settings, undefined, indent);
        const { hooks: _hooks, ...rest } = settings;
        const plain = (given: object) => JSON.parse(JSON.stringify(given)) as unknown;
        expect(JSON.parse(setMember(text, "hooks", value))).toEqual(
          plain({ ...rest, hooks: value }),
        );
        expect(JSON.parse(setMember(text, "hooks", undefined))).toEqual(plain(rest));
      },
    ),
  );
});
