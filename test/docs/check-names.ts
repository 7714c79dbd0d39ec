import type { Tree } from "./tree.ts";

/** The source files that a page names, by the end of their paths, are there. */
export function checkFileNames(tree: Tree, page: string): string[] {
  return namesIn(tree.read(page), /(?<![\w.*/-])(?:[\w-]+\/)*\w[\w.-]*\.(?:tsx?|m?js|sh)\b/g)
    .filter(({ name }) => !tree.paths.some((path) => `/${path}`.endsWith(`/${name}`)))
    .map(({ line, name }) => `${page}:${line}: there is no file ${name}.`);
}

/** The commands of npm that a page names are in package.json. */
export function checkScripts(tree: Tree, page: string): string[] {
  const { scripts } = JSON.parse(tree.read("package.json")) as { scripts: Record<string, string> };
  return namesIn(tree.read(page), /(?<=\bnpm run )\w+(?::\w+)*|(?<=\bnpm )(?:start|test)\b/g)
    .filter(({ name }) => scripts[name] === undefined)
    .map(({ line, name }) => `${page}:${line}: package.json has no script ${name}.`);
}

const namesIn = (markdown: string, pattern: RegExp) =>
  markdown
    .split("\n")
    .flatMap((text, index) =>
      Array.from(text.matchAll(pattern), ([name]) => ({ line: index + 1, name })),
    );
