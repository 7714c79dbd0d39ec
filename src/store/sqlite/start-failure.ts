import { primaryCode } from "./failures.ts";

/** A data directory that a server cannot start on, in a sentence that says why and what to do. */
export class DataDirectoryUnusable extends Error {
  override name = "DataDirectoryUnusable";
}

const BY_ERRNO: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full. Free some space",
  EDQUOT: "your quota of the disk is used up. Free some space",
  EACCES: "you have no right to it. Change its owner or mode, or choose another directory",
  EPERM: "you have no right to it. Change its owner or mode, or choose another directory",
  EROFS: "it cannot be written to. Choose another directory",
  EEXIST: "it is a file. Choose another directory",
  ENOTDIR: "a part of its path is a file. Choose another directory",
  EMFILE: "this process has too many open files. Raise the limit (ulimit -n)",
  EIO: "the disk does not answer. Look at the disk",
};
const BY_SQLITE: Readonly<Record<number, string>> = {
  8: "its files cannot be written to. Change their owner or mode",
  10: "the disk does not answer, or is full. Look at the disk",
  11: "the database is damaged. Restore a backup",
  13: "the disk is full. Free some space",
  14: "the database cannot be opened. Look at the owner and mode of the directory and its files",
  26: "beckon.db is not a database. Restore a backup",
};

/** What kept a server from starting, in words. What has words of its own passes. */
export function startFailure(directory: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = primaryCode(error);
  const errno = "code" in error ? String(error.code) : "";
  const reason = code === undefined ? BY_ERRNO[errno] : BY_SQLITE[code];
  if (reason === undefined) return error;
  const message = `Beckon cannot start on ${directory}: ${reason}, and start again. (${error.message})`;
  return new DataDirectoryUnusable(message, { cause: error });
}
