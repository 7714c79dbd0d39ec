import { posix } from "node:path";
import { withoutBlocks } from "./blocks.ts";
import { hasFile, hasFolder, type Tree } from "./tree.ts";

interface Link {
  line: number;
  target: string;
}

const LINK = /\]\(\s*<?(?<inline>[^\s)>]+)>?[^)]*\)|(?:src|href)="(?<html>[^"]+)"/g;
const DEFINITION = /^\s*\[[^\]]+\]:\s*(?<defined>\S+)/;
const ELSEWHERE = /^(?:https?:|mailto:)/;

/** Everything that a page points at, outside of code. */
function linksIn(markdown: string): Link[] {
  const lines = withoutCodeSpans(withoutBlocks(markdown)).split("\n");
  return lines.flatMap((text, index) => {
    const groups = [...text.matchAll(LINK)].map((match) => match.groups ?? {});
    groups.push(DEFINITION.exec(text)?.groups ?? {});
    return groups.flatMap(({ inline, html, defined }) => {
      const target = inline ?? html ?? defined;
      return target === undefined ? [] : [{ line: index + 1, target }];
    });
  });
}

const withoutCodeSpans = (text: string) => text.replaceAll(/(`+)[^`\n]*?\1(?!`)/g, "");

/** The anchors of a page, as GitHub makes them of its headings, and those that it sets itself. */
export function anchorsIn(markdown: string): Set<string> {
  const anchors = new Set<string>();
  const text = withoutBlocks(markdown);
  for (const [, heading = ""] of text.matchAll(/^#{1,6}\s+(.*?)\s*#*$/gm)) {
    const plain = toAnchor(heading);
    let anchor = plain;
    for (let again = 1; anchors.has(anchor); again++) anchor = `${plain}-${again}`;
    anchors.add(anchor);
  }
  for (const [, id = ""] of text.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)) anchors.add(id);
  return anchors;
}

function toAnchor(heading: string): string {
  return heading
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll(/(?<![\w])_([^_]+)_(?![\w])/g, "$1")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}

/** Every relative link of a page leads to something that is there. */
export function checkLinks(tree: Tree, page: string): string[] {
  return linksIn(tree.read(page)).flatMap(({ line, target }) => {
    const problem = ELSEWHERE.test(target) ? undefined : problemOf(tree, page, target);
    return problem === undefined ? [] : [`${page}:${line}: ${problem}`];
  });
}

function problemOf(tree: Tree, page: string, target: string): string | undefined {
  if (target.startsWith("/") || /^[a-z]+:/i.test(target)) {
    return `the link ${target} is absolute. Write it from this page's folder.`;
  }
  const [, anchor] = target.split("#");
  const path = pathOf(page, target);
  if (path.startsWith("..")) return `the link ${target} leads out of the repository.`;
  if (!hasFile(tree, path)) {
    if (!hasFolder(tree, path)) return `the link ${target} leads to ${path}, which is not there.`;
    return anchor === undefined ? undefined : `${path} is a folder and has no #${anchor}.`;
  }
  if (anchor === undefined) return undefined;
  if (!path.endsWith(".md")) return `only pages have anchors; ${path} is none.`;
  const anchors = anchorsIn(tree.read(path));
  if (anchors.has(anchor)) return undefined;
  return `${path} has no #${anchor}. It has ${[...anchors].map((one) => `#${one}`).join(", ")}.`;
}

/** What a relative link leads to, from the root. */
function pathOf(page: string, target: string): string {
  const path = decodeURI(target.split("#")[0] ?? "");
  if (path === "") return page;
  const joined = posix.join(posix.dirname(page), path).replace(/\/$/, "");
  return joined === "." ? "" : joined;
}

/** The pages below a folder that nobody finds who begins at its first page. */
export function checkReachable(tree: Tree, folder: string): string[] {
  const first = `${folder}/README.md`;
  const found = new Set([first]);
  for (const page of found) {
    for (const { target } of linksIn(tree.read(page))) {
      const path = ELSEWHERE.test(target) ? "" : pathOf(page, target);
      if (path.startsWith(`${folder}/`) && path.endsWith(".md") && hasFile(tree, path)) {
        found.add(path);
      }
    }
  }
  return tree.paths
    .filter((path) => path.startsWith(`${folder}/`) && path.endsWith(".md") && !found.has(path))
    .map((path) => `${path}: no link leads here from ${first}. Add it to that list.`);
}
