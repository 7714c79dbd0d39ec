import { describe, expect, test } from "vitest";
import { hidesSomething, visibleText } from "./visible-text.ts";

const HIDDEN: [string, number[]][] = [
  ["NUL, bell, backspace, escape, delete and the C1 controls", [0, 7, 8, 0x1b, 0x7f, 0x80, 0x9b]],
  ["carriage return, vertical tab, form feed", [0x0d, 0x0b, 0x0c, 0x85]],
  ["bidi embeddings, overrides and isolates", [0x202a, 0x202b, 0x202d, 0x202e, 0x2066, 0x2069]],
  ["bidi marks", [0x200e, 0x200f, 0x061c]],
  [
    "zero-width space, joiners, word joiner, byte order mark",
    [0x200b, 0x200c, 0x200d, 0x2060, 0xfeff],
  ],
  ["invisible operators and the soft hyphen", [0x2061, 0x2064, 0x00ad]],
  ["line and paragraph separators", [0x2028, 0x2029]],
  ["tags", [0xe0001, 0xe0041, 0xe007f]],
  ["variation selectors", [0xfe00, 0xfe0f, 0xe0100, 0xe01ef, 0x180b]],
  ["letters that look like nothing", [0x115f, 0x1160, 0x3164, 0xffa0, 0x17b4, 0x2800, 0x1d159]],
  ["spaces that are not the common one", [0x00a0, 0x1680, 0x2000, 0x200a, 0x202f, 0x205f, 0x3000]],
  ["private use", [0xe000, 0xf8ff, 0xf0000]],
  ["interlinear annotation", [0xfff9, 0xfffb]],
  ["the grapheme joiner", [0x034f]],
];

describe("shown as escapes", () => {
  for (const [name, codes] of HIDDEN) {
    test(`${name} are escaped`, () => {
      for (const code of codes) {
        const shown = visibleText(`a${String.fromCodePoint(code)}b`, { multiline: true });
        expect(shown).toBe(`a\\u{${code.toString(16).toUpperCase()}}b`);
        expect(hidesSomething(String.fromCodePoint(code))).toBe(true);
      }
    });
  }

  test("halves of a surrogate pair", () => {
    expect(visibleText("a\uD83Db\uDE00")).toBe("a\\u{D83D}b\\u{DE00}");
  });

  test("line breaks and tabs, unless several lines are shown", () => {
    expect(visibleText("a\n\tb")).toBe("a\\u{A}\\u{9}b");
    expect(visibleText("a\n\tb", { multiline: true })).toBe("a\n\tb");
  });
});

test("what can be seen stays as it is", () => {
  for (const text of [
    "",
    'rm -rf "./build" && echo $HOME \\u{202E}',
    "Grüße, 日本語, العربية, עברית, हिन्दी, 한국어",
    "é e\u0301 😀 👍🏽 ½ → ─",
    "⚠\uFE0F 👩\u200D💻 👩🏽\u200D💻 🏳\uFE0F\u200D🌈",
  ]) {
    expect(visibleText(text, { multiline: true })).toBe(text);
    expect(hidesSomething(text)).toBe(false);
  }
});

test("a command whose end is hidden by a bidi override is shown as it runs", () => {
  expect(visibleText("rm \u202Egpj.yadiloh")).toBe("rm \\u{202E}gpj.yadiloh");
});

test("what belongs to an emoji hides where there is none", () => {
  expect(visibleText("a\uFE0F\u200Db")).toBe("a\\u{FE0F}\\u{200D}b");
  expect(visibleText("⚠\uFE0F\uFE0F")).toBe("⚠\uFE0F\\u{FE0F}");
  expect(visibleText("😀\u200D")).toBe("😀\\u{200D}");
  expect(visibleText("😀\u200D\u200D😀")).toBe("😀\\u{200D}\\u{200D}😀");
});

test("marks that pile up on a letter are written out once no language has so many", () => {
  const four = "a\u0301\u0323\u035B\u0301";
  expect(visibleText(four)).toBe(four);
  expect(visibleText(`${four}\u0323\u035Bb`)).toBe(`${four}\\u{323}\\u{35B}b`);
});
