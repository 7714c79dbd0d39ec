import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The files of a repository, by their paths from its root. */
export interface Tree {
  readonly paths: readonly string[];
  /** @throws if there is none */
  read(path: string): string;
}

const NOT_OURS = new Set(["node_modules", "dist"]);

/** The files below a folder, without what is installed, built or hidden. */
export function readTree(root: string): Tree {
  const under = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.name.startsWith(".") || NOT_OURS.has(entry.name)) return [];
      return entry.isDirectory() ? under(path) : [path];
    });
  const texts = new Map<string, string>();
  return {
    paths: under("").sort(),
    read(path) {
      const text = texts.get(path) ?? readFileSync(join(root, path), "utf8");
      texts.set(path, text);
      return text;
    },
  };
}

/** A tree for a test of a check. */
export function createTree(files: Record<string, string>): Tree {
  return {
    paths: Object.keys(files),
    read(path) {
      const text = files[path];
      if (text === undefined) throw new Error(`There is no ${path}.`);
      return text;
    },
  };
}

export const hasFile = (tree: Tree, path: string) => tree.paths.includes(path);

export const hasFolder = (tree: Tree, path: string) =>
  path === "" || tree.paths.some((one) => one.startsWith(`${path}/`));

export const testFiles = (tree: Tree) =>
  tree.paths.filter((path) => /\.test\.(?:ts|tsx)$/.test(path));
