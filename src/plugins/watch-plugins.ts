import { type FSWatcher, readdirSync, watch } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import type { Log } from "../core/index.ts";

/** An editor writes a file in several steps, and several files at once: they are one change. */
const QUIET_MS = 100;

/**
 * Calls `onChange` with the folders in which something has changed. A folder of a plugin and the
 * folder that holds it are not told apart: both are named.
 *
 * Contract: nothing is polled. Where the system cannot watch a folder, that is logged.
 */
export function watchPlugins(
  directories: string[],
  onChange: (folders: ReadonlySet<string>) => void,
  log: Log,
): { close(): void } {
  const roots = directories.map((directory) => resolve(directory));
  const watchers = new Map<string, FSWatcher>();
  let changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  function notice(root: string, folder: string, name: string | null): void {
    if (name !== null && !counts(name)) return;
    const [first] = relative(root, join(folder, name ?? "")).split(sep);
    changed.add(root);
    if (first) changed.add(join(root, first));
    clearTimeout(timer);
    timer = setTimeout(tell, QUIET_MS);
  }

  function tell(): void {
    const folders = changed;
    changed = new Set();
    // First, so that what is written from now on is noticed.
    watchAll();
    onChange(folders);
  }

  function watchAll(): void {
    const found = new Map(
      roots.flatMap((root) => foldersIn(root).map((one) => [one, root] as const)),
    );
    for (const [folder, watcher] of watchers) {
      if (found.has(folder)) continue;
      watcher.close();
      watchers.delete(folder);
    }
    for (const [folder, root] of found) {
      if (!watchers.has(folder)) watchOne(root, folder);
    }
  }

  function watchOne(root: string, folder: string): void {
    const fail = (error: unknown) => log.warn({ folder, error }, "A folder cannot be watched.");
    try {
      const watcher = watch(folder, (_event, name) => notice(root, folder, name));
      watcher.on("error", fail);
      watchers.set(folder, watcher);
    } catch (error) {
      fail(error);
    }
  }

  watchAll();
  return {
    close() {
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}

/** What editors write beside a file, and what is installed, is not the plugin's. */
function counts(name: string): boolean {
  return !name.startsWith(".") && !name.endsWith("~") && name !== "node_modules";
}

/** The folder and those in it; none if it is not there. A plugin's folder may be a link to it. */
function foldersIn(folder: string, links = true): string[] {
  try {
    const inside = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || (links && entry.isSymbolicLink()))
      .filter((entry) => counts(entry.name))
      .flatMap((entry) => foldersIn(join(folder, entry.name), false));
    return [folder, ...inside];
  } catch {
    return [];
  }
}
