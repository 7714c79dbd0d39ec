import { expect, test } from "vitest";
import { anchorsIn, checkLinks, checkReachable } from "./check-links.ts";
import { createTree } from "./tree.ts";

const files = {
  "docs/README.md": "[a guide](guide/one.md) and [elsewhere](https://example.com/none.md)",
  "docs/guide/one.md": "# One\n\n## The `key` of it: what, and why?\n\n[two](two.md)",
  "docs/guide/two.md": "# Two",
  "docs/images/picture.png": "",
};

const problems = (markdown: string, page = "docs/guide/two.md") =>
  checkLinks(createTree({ ...files, [page]: markdown }), page);

test("links to pages, folders, pictures, anchors and other sites are right", () => {
  const text = `[a](one.md) [b](../README.md "title") [c](../guide/) [d](#here) ![e](../images/picture.png)
[f](one.md#the-key-of-it-what-and-why) <img src="../images/picture.png" /> [g]: one.md
[h](https://example.com/x) <a href="one.md">i</a>\n\n# Here`;
  expect(problems(text)).toEqual([]);
});

test("a link to what is not there is named by page and line", () => {
  expect(problems("# Two\n\n[x](three.md)")).toEqual([
    "docs/guide/two.md:3: the link three.md leads to docs/guide/three.md, which is not there.",
  ]);
  expect(problems("![x](../images/none.png)")).toHaveLength(1);
  expect(problems('<img src="none.png">')).toHaveLength(1);
  expect(problems("[x]: none.md")).toHaveLength(1);
  expect(problems("[`x`](none.md)")).toHaveLength(1);
  expect(problems("[x](One.md)")).toHaveLength(1);
});

test("an anchor that is not there is named with those that are", () => {
  expect(problems("[x](one.md#on)")).toEqual([
    "docs/guide/two.md:1: docs/guide/one.md has no #on. It has #one, #the-key-of-it-what-and-why.",
  ]);
  expect(problems("[x](#on)")).toHaveLength(1);
  expect(problems("[x](../guide#on)")).toHaveLength(1);
  expect(problems("[x](../images/picture.png#on)")).toHaveLength(1);
});

test("a link leads neither to a place of one machine nor out of the repository", () => {
  for (const target of ["/docs/README.md", "file:///docs/README.md", "../../../x.md"]) {
    expect(problems(`[x](${target})`)).toHaveLength(1);
  }
});

test("what stands in code is no link", () => {
  expect(problems("`[x](none.md)`\n\n```text\n[x](none.md)\n```")).toEqual([]);
});

test("anchors are made as GitHub makes them", () => {
  const page =
    '# What\'s new?\n## A `b_c` & d\n## _Late_ answers\n## [Link](x.md)\n## Same\n## Same\n## Über 10,000\n<a id="own"></a>';
  expect([...anchorsIn(`${page}\n\n\`\`\`sh\n# no heading\n\`\`\`\n`)]).toEqual([
    "whats-new",
    "a-b_c--d",
    "late-answers",
    "link",
    "same",
    "same-1",
    "über-10000",
    "own",
  ]);
});

test("a page that no link leads to is found, at any depth", () => {
  expect(checkReachable(createTree(files), "docs")).toEqual([]);
  const tree = createTree({ ...files, "docs/guide/lost.md": "[back](../README.md)" });
  expect(checkReachable(tree, "docs")).toEqual([
    "docs/guide/lost.md: no link leads here from docs/README.md. Add it to that list.",
  ]);
});
