import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SHARED_MEMORY = "/dev/shm";

/** Whether there is a file system in memory, where a sync of the disk costs nothing. */
export const hasMemoryDisk = existsSync(SHARED_MEMORY);

/** Gives `work` a directory of its own on the disk, gone afterwards. */
export function withDirectory<Result>(work: (path: string) => Promise<Result>): Promise<Result> {
  return withDirectoryIn(tmpdir(), work);
}

/** The same in memory, for figures that leave out the disk. */
export function withMemoryDirectory<Result>(
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  return withDirectoryIn(hasMemoryDisk ? SHARED_MEMORY : tmpdir(), work);
}

async function withDirectoryIn<Result>(parent: string, work: (path: string) => Promise<Result>) {
  const path = await mkdtemp(join(parent, "beckon-bench-"));
  try {
    return await work(path);
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}
