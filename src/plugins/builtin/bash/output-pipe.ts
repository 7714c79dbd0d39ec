import { execFile } from "node:child_process";
import { constants, openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ToolError } from "../../../core/index.ts";

export interface OutputPipe {
  readonly reader: Socket;
  /** For the child, as its standard output and error. Close it here when the child has it. */
  readonly writeEnd: number;
}

/**
 * A pipe whose reading end is ours. The "pipes" that Node makes for a child are sockets, which
 * cannot be opened by name: `echo oops > /dev/stderr` and `tee /dev/stdout` would fail.
 */
export async function openOutputPipe(): Promise<OutputPipe> {
  try {
    const folder = await mkdtemp(join(tmpdir(), "beckon-"));
    try {
      const path = join(folder, "output");
      await promisify(execFile)("mkfifo", ["-m", "600", path]);
      const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      const reader = new Socket({ fd: readEnd, readable: true, writable: false });
      return { reader, writeEnd: openSync(path, constants.O_WRONLY) };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  } catch (cause) {
    throw new ToolError(
      "tool_error",
      `The command was not run: there is no pipe for its output (${(cause as Error).message}).`,
      { cause },
    );
  }
}
