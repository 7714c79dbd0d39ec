import { posix } from "node:path";
import { type Block, blocksIn, type Note } from "./blocks.ts";
import { shownOf } from "./regions.ts";
import { hasFile, hasFolder, testFiles, type Tree } from "./tree.ts";

/** Runs every block of shell in the pages that it names, unless a comment says who else does. */
export const SHELL_RUNNER = "test/process/cli-pages.test.ts";

/** What is read or printed, and not run. */
const NOT_CODE = new Set(["", "text"]);

/** Every block of code of a page comes from a file that a test runs, or is run from the page. */
export function checkBlocks(tree: Tree, page: string): string[] {
  return blocksIn(tree.read(page)).flatMap((block) => {
    const problem = problemOf(tree, page, block);
    return problem === undefined ? [] : [`${page}:${block.line}: ${problem}`];
  });
}

/** Who covers a block: what its comment says, or who runs all shell of its page. */
export function coverOf({ language, notes }: Block): Note | undefined {
  const cover = notes.find(({ word }) => word !== "test");
  if (cover || language !== "sh") return cover;
  return { word: "run by", text: SHELL_RUNNER };
}

function problemOf(tree: Tree, page: string, block: Block): string | undefined {
  if (!block.isClosed) return "this block has no end: its fence is not closed.";
  if (NOT_CODE.has(block.language)) return undefined;
  const cover = coverOf(block);
  if (!cover) {
    return `nothing runs this block of ${block.language}. Put its code into a file that a test runs and write <!-- file: path --> before it, or <!-- run by: test file -->, or <!-- shown: why it cannot be run -->. What is only read or printed is marked text.`;
  }
  if (cover.word === "shown") {
    return /\w+ \w+/.test(cover.text) ? undefined : `<!-- shown: … --> needs the reason in words.`;
  }
  return cover.word === "file"
    ? problemOfFile(tree, block, cover.text)
    : problemOfRunner(tree, page, cover.text);
}

function problemOfFile(tree: Tree, block: Block, named: string): string | undefined {
  const [path = "", region] = named.split("#");
  if (!hasFile(tree, path)) return `there is no file ${path}.`;
  const shown = shownOf(tree.read(path), region);
  if (shown === undefined) {
    return `${path} has no "#region ${region}" that ends with "#endregion ${region}".`;
  }
  if (shown !== block.code) {
    return `it is not what ${named} says: ${firstDifference(block.code, shown)} Change the file, then \`npm run docs\` brings it here.`;
  }
  if (!isRun(tree, path)) {
    return `no test runs ${path}: none is it, and none names it or its folder.`;
  }
  return undefined;
}

function problemOfRunner(tree: Tree, page: string, runner: string): string | undefined {
  if (!testFiles(tree).includes(runner)) return `there is no test file ${runner}.`;
  if (tree.read(runner).includes(page)) return undefined;
  return runner === SHELL_RUNNER
    ? `nothing runs this block of sh. Add ${page} to the pages of ${runner}, or write <!-- file: path -->, <!-- run by: test file --> or <!-- shown: why it cannot be run --> before it.`
    : `${runner} does not name ${page}, so it cannot run this block of it.`;
}

/**
 * A test is run; so is what a test beside it names, and what any test, or a block that a test runs,
 * names by its path or by that of a folder around it.
 */
function isRun(tree: Tree, path: string): boolean {
  const tests = testFiles(tree);
  if (tests.some((test) => test === path || test.startsWith(`${path}/`))) return true;
  const beside = tests.filter((test) => posix.dirname(test) === posix.dirname(path));
  if (beside.some((test) => tree.read(test).includes(posix.basename(path)))) return true;
  const names: string[] = [];
  for (let name = path; name.includes("/"); name = posix.dirname(name)) names.push(name);
  const runs = [...tests.map((test) => tree.read(test)), ...blocksThatRun(tree)];
  return runs.some((text) => names.some((name) => isNamed(text, name)));
}

/** Not by a longer name that begins in the same way. */
function isNamed(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    if (!/[\w-]/.test(text.charAt(at + name.length))) return true;
  }
  return false;
}

const blocksThatRun = (tree: Tree): string[] =>
  tree.paths
    .filter((page) => page.endsWith(".md"))
    .flatMap((page) =>
      blocksIn(tree.read(page))
        .filter((block) => {
          const cover = coverOf(block);
          return cover?.word === "run by" && !problemOfRunner(tree, page, cover.text);
        })
        .map(({ code }) => code),
    );

/** The folders of examples that no test names. */
export function checkExamples(tree: Tree): string[] {
  const folders = new Set(
    tree.paths.flatMap((path) => /^examples\/[^/]+(?=\/)/.exec(path)?.[0] ?? []),
  );
  return [...folders]
    .filter((folder) => hasFolder(tree, folder) && !isRun(tree, folder))
    .map((folder) => `${folder}: no test names it. An example that nothing runs will rot.`);
}

function firstDifference(shown: string, file: string): string {
  const [here, there] = [shown.split("\n"), file.split("\n")];
  const at = there.findIndex((line, index) => line !== here[index]);
  const index = at === -1 ? there.length : at;
  return `its line ${index + 1} is ${JSON.stringify(here[index])}, there ${JSON.stringify(there[index])}.`;
}
