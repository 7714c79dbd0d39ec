import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { toIssues } from "../protocol/index.ts";
import { PluginManifest } from "./manifest.ts";
import { BrokenPlugin, type PluginProblem, toProblem } from "./problem.ts";

/** A plugin as its folder describes it; none of its code has run. */
export interface FoundPlugin {
  manifest: PluginManifest;
  folder: string;
  /** The file with its code. */
  entry: string;
}

const ENTRIES = ["index.js", "index.mjs"];

/** What cannot be read as a plugin. */
export interface BrokenFolder extends PluginProblem {
  /** Undefined where there is no plugin at all. */
  folder?: string;
}

/** Finds plugins: each directory is a plugin's own folder, or holds folders of plugins. */
export async function findPlugins(
  directories: string[],
): Promise<{ found: FoundPlugin[]; problems: BrokenFolder[] }> {
  const found: FoundPlugin[] = [];
  const problems: BrokenFolder[] = [];
  for (const directory of directories) {
    try {
      for (const folder of await pluginFolders(resolve(directory))) {
        await readPlugin(folder).then(
          (plugin) => found.push(plugin),
          (error: unknown) =>
            problems.push({ folder, ...toProblem(idOf(error) ?? basename(folder), error) }),
        );
      }
    } catch (error) {
      problems.push(toProblem(directory, error));
    }
  }
  return { found, problems };
}

function idOf(error: unknown): string | undefined {
  return error instanceof BrokenPlugin ? error.plugin : undefined;
}

async function pluginFolders(directory: string): Promise<string[]> {
  if (!(await isDirectory(directory))) {
    throw new BrokenPlugin(`There is no folder ${directory}.`);
  }
  if (await looksLikePlugin(directory)) return [directory];
  const folders: string[] = [];
  for (const name of (await readdir(directory)).sort()) {
    if (name.startsWith(".") || name === "node_modules") continue;
    const folder = join(directory, name);
    if ((await isDirectory(folder)) && (await looksLikePlugin(folder))) folders.push(folder);
  }
  if (folders.length === 0) {
    throw new BrokenPlugin(
      `There is no plugin in ${directory}: no manifest.json, and no folder with one.`,
    );
  }
  return folders;
}

/** Code without a manifest counts, so that a forgotten manifest is reported and not passed over. */
async function looksLikePlugin(folder: string): Promise<boolean> {
  for (const name of ["manifest.json", ...ENTRIES]) {
    if (await isFile(join(folder, name))) return true;
  }
  return false;
}

async function readPlugin(folder: string): Promise<FoundPlugin> {
  const manifest = await readManifest(join(folder, "manifest.json"));
  for (const name of ENTRIES) {
    const entry = join(folder, name);
    if (await isFile(entry)) return { manifest, folder, entry };
  }
  throw new BrokenPlugin(`There is no index.js or index.mjs in ${folder}.`, {
    plugin: manifest.id,
  });
}

async function readManifest(path: string): Promise<PluginManifest> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new BrokenPlugin(`${path} cannot be read.`, { cause: error });
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new BrokenPlugin(`${path} is not valid JSON: ${(error as Error).message}`, {
      cause: error,
    });
  }
  const parsed = PluginManifest.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = toIssues(parsed.error).map(({ path, message }) => `${path || "it"}: ${message}`);
  throw new BrokenPlugin(`${path} is not a valid manifest. ${issues.join("; ")}`, {
    plugin: nameIn(value),
  });
}

function nameIn(manifest: unknown): string | undefined {
  const named = PluginManifest.pick({ id: true }).safeParse(manifest);
  return named.data?.id;
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false;
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}
