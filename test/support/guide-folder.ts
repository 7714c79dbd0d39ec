import { execFile } from "node:child_process";
import {
  cp,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { blocksIn } from "../docs/blocks.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

export const readHere = (path: string) => readFile(join(root, path), "utf8");

/** The blocks of code in a page, in order. */
export function codeIn(markdown: string, language = "js"): string[] {
  const blocks = blocksIn(markdown).filter((block) => block.language === language);
  return blocks.map(({ code }) => code);
}

export async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "beckon-guide-"));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Makes the folder a package of its own that has Beckon, as it is built, and what Beckon needs. */
export async function installInto(folder: string, beside: Record<string, string> = {}) {
  const modules = join(folder, "node_modules");
  for (const part of ["bin", "dist", "plugins", "package.json"]) {
    await linkInto(join(root, part), join(modules, "beckon", part));
  }
  const { dependencies } = JSON.parse(await readHere("package.json")) as { dependencies: object };
  const needed = Object.keys(dependencies).map((name) => [name, `node_modules/${name}`] as const);
  for (const [name, from] of [...needed, ...Object.entries(beside)]) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(root, from), join(modules, name));
  }
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
}

/** Hard links, where they can be made: Node takes each for a file of that place, as it takes a copy. */
async function linkInto(from: string, to: string): Promise<void> {
  if (!(await stat(from)).isDirectory()) {
    await mkdir(dirname(to), { recursive: true });
    return link(from, to).catch(() => cp(from, to));
  }
  await mkdir(to, { recursive: true });
  const inside = await readdir(from);
  await Promise.all(inside.map((name) => linkInto(join(from, name), join(to, name))));
}

/** Runs one file with Node's own test runner, where there is no vitest, and gives what it printed. */
export async function runNodeTest(folder: string, file: string): Promise<string> {
  const { VITEST: _vitest, ...env } = process.env;
  const run = promisify(execFile)(process.execPath, ["--test", file], {
    cwd: folder,
    env: { ...env, NODE_OPTIONS: "" },
  });
  // What failed is read in what it printed.
  return run.then(
    ({ stdout }) => stdout,
    ({ stdout = "" }: { stdout?: string }) => stdout,
  );
}
