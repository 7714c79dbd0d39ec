import { expect, test } from "vitest";
import { blocksIn } from "./blocks.ts";
import { checkBlocks, checkExamples, SHELL_RUNNER } from "./check-blocks.ts";
import { fillPage } from "./fill-page.ts";
import { createTree } from "./tree.ts";

const FENCE = "```";
const block = (language: string, code: string) => `${FENCE}${language}\n${code}\n${FENCE}\n`;

const files = {
  "samples/one/index.js":
    "start();\n// #region middle\n  go(\n    on);\n// #endregion middle\nend();\n",
  "samples/two/index.js": "never();\n",
  "test/samples.test.ts": 'run("samples/one"); // of docs/named.md',
  [SHELL_RUNNER]: 'const PAGES = ["docs/shell.md"];',
};

const problems = (markdown: string, page = "docs/page.md") =>
  checkBlocks(createTree({ ...files, [page]: markdown }), page);

test("a block without a comment is named by page and line, with what to do", () => {
  const [problem, ...others] = problems(`# Title\n\n${block("js", "go();")}`);
  expect(problem).toMatch(
    /^docs\/page\.md:3: nothing runs this block of js\. .*<!-- file: path -->/,
  );
  expect(others).toEqual([]);
});

test("what is printed needs no comment, whatever else is marked does", () => {
  expect(problems(block("", "Hello") + block("text", "Hello"))).toEqual([]);
  for (const language of ["json", "bash", "yaml", "css"]) {
    expect(problems(block(language, "x"))).toHaveLength(1);
  }
});

test("a block that does not end is found", () => {
  expect(problems(`Text\n\n${FENCE}text\nHello\n`)).toEqual([
    "docs/page.md:3: this block has no end: its fence is not closed.",
  ]);
});

test("a comment counts only right before its block", () => {
  const note = "<!-- shown: it needs a key -->\n";
  expect(problems(note + block("js", "go();"))).toEqual([]);
  expect(problems(`${note}\n${block("js", "go();")}`)).toEqual([]);
  expect(problems(`${note}\nSome words.\n\n${block("js", "go();")}`)).toHaveLength(1);
  expect(problems(note + block("js", "go();") + block("js", "stop();"))).toHaveLength(1);
});

test("a block that shows a file is the file, without its markers", () => {
  const note = "<!-- file: samples/one/index.js -->\n\n";
  expect(problems(note + block("js", "start();\n  go(\n    on);\nend();"))).toEqual([]);
  expect(problems(note + block("js", "start();\n  go(\n    off);\nend();"))).toEqual([
    expect.stringContaining('its line 3 is "    off);", there "    on);".'),
  ]);
  expect(problems(note + block("js", "start();"))).toHaveLength(1);
  expect(problems(note + block("js", "start();\n  go(\n    on);\nend();\nmore();"))).toHaveLength(
    1,
  );
});

test("a block that shows a part of a file has no more of its indentation than it must", () => {
  const note = "<!-- file: samples/one/index.js#middle -->\n";
  expect(problems(note + block("js", "go(\n  on);"))).toEqual([]);
  expect(problems(note + block("js", "  go(\n    on);"))).toHaveLength(1);
  expect(problems(note.replace("middle", "start") + block("js", "go();"))).toEqual([
    expect.stringContaining('has no "#region start"'),
  ]);
});

test("a block in a list is read without the list's indentation", () => {
  const listed = `- one\n\n  <!-- file: samples/one/index.js#middle -->\n\n  ${FENCE}js\n  go(\n    on);\n  ${FENCE}\n`;
  expect(problems(listed)).toEqual([]);
  expect(blocksIn(listed)).toMatchObject([{ line: 5, code: "go(\n  on);\n" }]);
});

test("the file is there, and a test names it", () => {
  expect(problems(`<!-- file: samples/none.js -->\n${block("js", "go();")}`)).toEqual([
    expect.stringContaining("there is no file samples/none.js."),
  ]);
  expect(problems(`<!-- file: samples/two/index.js -->\n${block("js", "never();")}`)).toEqual([
    expect.stringContaining("no test runs samples/two/index.js"),
  ]);
});

test("a test beside a file names it by its name alone", () => {
  const note = "<!-- file: src/beside/a.js -->\n";
  const tree = (test: string) =>
    createTree({
      "src/beside/a.js": "go();\n",
      "src/beside/a.test.ts": test,
      "docs/page.md": note + block("js", "go();"),
    });
  expect(checkBlocks(tree('import "./a.js"'), "docs/page.md")).toEqual([]);
  expect(checkBlocks(tree('import "./b.js"'), "docs/page.md")).toHaveLength(1);
});

test("who is said to run a block is a test that names its page", () => {
  const by = (runner: string) => `<!-- run by: ${runner} -->\n${block("json", "{}")}`;
  expect(problems(by("test/samples.test.ts"), "docs/named.md")).toEqual([]);
  expect(problems(by("test/samples.test.ts"))).toEqual([
    expect.stringContaining("test/samples.test.ts does not name docs/page.md"),
  ]);
  expect(problems(by("test/none.test.ts"))).toEqual([
    expect.stringContaining("there is no test file test/none.test.ts."),
  ]);
});

test("shell is run in the pages that the runner of shell names, and only there", () => {
  const shell = `<!-- test: approve -->\n${block("sh", "one")}${block("sh", "two")}`;
  expect(problems(shell, "docs/shell.md")).toEqual([]);
  expect(problems(shell)).toHaveLength(2);
});

test("what is only shown has a reason", () => {
  expect(problems(`<!-- shown: needs a key of a vendor -->\n${block("js", "x")}`)).toEqual([]);
  expect(problems(`<!-- shown: -->\n${block("js", "x")}`)).toHaveLength(1);
  expect(problems(`<!-- shown: todo -->\n${block("js", "x")}`)).toHaveLength(1);
});

test("a folder of examples that no test names is found", () => {
  const tree = createTree({
    "examples/named-there/a.js": "",
    "examples/forgotten/b.js": "",
    "examples/named/b.js": "",
    "examples/with-a-test/c.test.ts": "",
    "examples/run-on-a-page/d.js": "",
    "test/a.test.ts": '"examples/named-there"',
    "docs/shell.md": block("sh", "node examples/run-on-a-page/d.js"),
    "docs/other.md": block("sh", "node examples/forgotten/b.js"),
    [SHELL_RUNNER]: files[SHELL_RUNNER],
  });
  expect(checkExamples(tree)).toEqual([
    expect.stringMatching(/^examples\/forgotten: no test/),
    expect.stringMatching(/^examples\/named: no test/),
  ]);
});

test("a page is filled with what the files say, and is then right", () => {
  const note = "<!-- file: samples/one/index.js#middle -->\n";
  const page = `${note}${block("js", "old();\nolder();")}\n- item\n\n  ${note}\n  ${FENCE}js\n  ${FENCE}\n\nEnd.\n`;
  const filled = fillPage(createTree({ ...files, "docs/page.md": page }), "docs/page.md");
  expect(problems(page)).toHaveLength(2);
  expect(problems(filled)).toEqual([]);
  expect(filled).toMatch(/\n {2}go\(\n {4}on\);\n {2}```\n\nEnd\.\n$/);
});
