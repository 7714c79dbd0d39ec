import { cleanup, render } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import { Markdown } from "./markdown.tsx";
import { BlockParser } from "./parse-blocks.ts";

afterEach(cleanup);

const draw = (text: string, streaming = false) =>
  render(<Markdown text={text} streaming={streaming} />).container;

describe("what it draws", () => {
  test("headings, lists, tables, quotes, code and marks become elements", () => {
    const drawn = draw(
      "# Title\n\nSome **bold**, *slanted*, ~~gone~~ and `code`.\n\n- one\n- two\n\n3. three\n\n> quoted\n\n" +
        "| a | b |\n|---|--:|\n| 1 | 2 |\n\n```js\nlet a = 1;\n```\n\n---\n\n- [x] done",
    );
    for (const tag of [
      "h3",
      "strong",
      "em",
      "del",
      "code",
      "ul",
      "ol",
      "blockquote",
      "table",
      "pre",
      "hr",
    ]) {
      expect([tag, drawn.querySelector(tag) !== null]).toEqual([tag, true]);
    }
    expect(drawn.querySelector("ol")?.getAttribute("start")).toBe("3");
    expect(drawn.querySelector("pre")?.textContent).toBe("let a = 1;");
    expect(drawn.textContent).toContain("☑");
  });

  test("entities are read, and characters that HTML would need escaped are shown", () => {
    expect(draw("a &lt; b &amp;&amp; c &#62; d &unknown; `&lt;`").textContent).toBe(
      "a < b && c > d &unknown; &lt;",
    );
  });

  test("a link opens elsewhere, without a way back, and says where it leads", () => {
    const link = draw("[here](https://example.com/a?b=c) <mail@example.com>").querySelector("a");
    expect(link?.getAttribute("href")).toBe("https://example.com/a?b=c");
    expect(link?.getAttribute("rel")).toBe("noopener noreferrer");
    expect(link?.getAttribute("target")).toBe("_blank");
    expect(link?.title).toBe("https://example.com/a?b=c");
  });

  test("an image is a link with its words, and nothing is fetched", () => {
    const drawn = draw("![a cat](https://example.com/cat.png)");
    expect(drawn.querySelector("img")).toBeNull();
    expect(drawn.querySelector("a")?.textContent).toBe("Image: a cat");
  });
});

describe("what it refuses to draw", () => {
  test.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "text <b onclick=alert(1)>inline</b> text",
    "<svg><animate onbegin=alert(1) attributeName=x></svg>",
    "<iframe srcdoc='<script>alert(1)</script>'>",
    "<a href='javascript:alert(1)'>x</a>",
    "<style>body{display:none}</style>",
    "```html\n<script>alert(1)</script>\n```",
    "| <img src=x onerror=alert(1)> | b |\n|---|---|\n| <script>1</script> | c |",
    "- <details open ontoggle=alert(1)>",
    "> <object data=x>",
    "# <base href=//evil>",
    '[x](https://a.example "onmouseover=alert(1)")',
    "![<img src=x onerror=alert(1)>](https://a.example)",
    "[<img src=x onerror=alert(1)>](https://a.example)",
    '```"><script>alert(1)</script>\nx\n```',
  ])("%j stays text", (text) => {
    const drawn = draw(text);
    const known = new Set(
      "DIV P A CODE PRE SPAN BUTTON svg path rect TABLE THEAD TBODY TR TH TD UL LI BLOCKQUOTE H3".split(
        " ",
      ),
    );
    for (const element of drawn.querySelectorAll("*")) {
      expect([element.tagName, known.has(element.tagName)]).toEqual([element.tagName, true]);
      for (const { name } of element.attributes) expect(name).not.toMatch(/^on|^src/);
    }
  });

  test.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\tscript:alert(1)",
    "&#106;avascript:alert(1)",
    "javascript&colon;alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://a/b",
    "//evil.example",
    "/api/auth/signout",
    "#/inbox",
    "../up",
  ])("%j is no address to follow", (href) => {
    for (const text of [
      `[x](${href})`,
      `[x](<${href}>)`,
      `![x](${href})`,
      `[x]\n\n[x]: <${href}>`,
    ]) {
      expect(draw(text).querySelector("a")).toBeNull();
      cleanup();
    }
  });

  test("nesting without end neither throws nor hangs", () => {
    for (const text of ["> ".repeat(5_000) + "x", "- ".repeat(3_000) + "x", "*a ".repeat(3_000)]) {
      expect(draw(text).textContent).toContain(text.at(-1) === "x" ? "x" : "a");
      cleanup();
    }
  });
});

describe("while it grows", () => {
  const text =
    "# One\n\nA *paragraph* with `code`.\n\n- a\n- b\n\n```js\nlet a = 1;\n```\n\nThe end.";

  test("only the last block is read again", () => {
    const parser = new BlockParser();
    const before = parser.parse(`${text} More`, true);
    const after = parser.parse(`${text} More and more`, true);
    expect(after.length).toBe(before.length);
    for (const at of before.keys()) {
      const same = before[at]?.token === after[at]?.token;
      expect([at, same]).toEqual([at, at < before.length - 1]);
    }
  });

  test("letter by letter it ends as it would when read at once", () => {
    const grown = new BlockParser();
    for (let end = 1; end <= text.length; end++) grown.parse(text.slice(0, end), true);
    const shape = (blocks: ReturnType<BlockParser["parse"]>) =>
      blocks.map(({ at, token }) => [at, token.type, token.raw.trim()]);
    expect(shape(grown.parse(text, false))).toEqual(shape(new BlockParser().parse(text, false)));
  });

  test("a mark that is not closed yet is drawn as if it were", () => {
    expect(draw("this is **bol", true).querySelector("strong")?.textContent).toBe("bol");
    expect(draw("see [the docs](https://exam", true).querySelector("a")).toBeNull();
  });

  test("text that was replaced is read anew", () => {
    const parser = new BlockParser();
    parser.parse("# One\n\ntwo\n\nthree", true);
    const blocks = parser.parse("other\n\nwords", true);
    expect(blocks.map(({ token }) => token.raw.trim())).toEqual(["other", "words"]);
  });
});
