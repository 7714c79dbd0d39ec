import { blocksIn } from "./blocks.ts";
import { coverOf } from "./check-blocks.ts";
import { shownOf } from "./regions.ts";
import { hasFile, type Tree } from "./tree.ts";

/** The page with each block as the file says that its comment names. */
export function fillPage(tree: Tree, page: string): string {
  const lines = tree.read(page).split("\n");
  // From its end, so that the lines above keep their numbers.
  for (const block of blocksIn(tree.read(page)).toReversed()) {
    const cover = coverOf(block);
    const [path = "", region] = cover?.word === "file" ? cover.text.split("#") : [];
    const code = hasFile(tree, path) ? shownOf(tree.read(path), region) : undefined;
    if (code === undefined) continue;
    const indent = /^\s*/.exec(lines[block.line - 1] ?? "")?.[0] ?? "";
    const inside = code.replace(/\n$/, "").split("\n");
    const indented = inside.map((line) => (line === "" ? "" : indent + line));
    lines.splice(block.line, block.code.split("\n").length - 1, ...indented);
  }
  return lines.join("\n");
}
