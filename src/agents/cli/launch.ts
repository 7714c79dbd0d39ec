import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";

export interface Launch {
  command: string;
  args: string[];
  cwd: string;
  env: Record<string, string | undefined>;
  /** What it is sent when the server dies, so that it can end its commands and its history. */
  whenForsaken: "INT" | "TERM";
}

interface Launched extends ChildProcess {
  stdin: Writable;
  stdout: Readable;
  stderr: Readable;
}

/**
 * Becomes the program, beside a watchdog in the same group. File descriptor 3 is a socket to the
 * server, which the kernel closes however the server dies: then the watchdog signals the group, and
 * kills what is left after two seconds. It is no child of the program, and what is sent to the whole
 * group does not end it.
 */
const LAUNCH = `
signal=$1
shift
( ( trap "" HUP INT QUIT TERM
    while read -r _ <&3; do :; done
    kill -s "$signal" -- "-$$"
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
      kill -s 0 "$$" || break
      sleep 0.1
    done
    kill -s KILL -- "-$$"
  ) </dev/null >/dev/null 2>&1 & )
exec "$@" 3<&-
`;

/** A program in a process group of its own, and the socket that holds its watchdog. */
interface Watched {
  child: Launched;
  /** Ending it ends the whole group. */
  watchdog: Socket;
}

/**
 * Starts a program in a process group of its own that ends when this process dies, however it dies.
 * Whether it could be started is told by the `spawn` or `error` event of the child.
 */
export function startWatched(options: Launch): Watched {
  const { command, args, cwd, env, whenForsaken } = options;
  const child = spawn("/bin/sh", ["-c", LAUNCH, "sh", whenForsaken, command, ...args], {
    cwd,
    env,
    detached: true,
    stdio: ["pipe", "pipe", "pipe", "pipe"],
  });
  const watchdog = child.stdio[3] as Socket;
  // Whoever is gone before it has read everything is not to end this process.
  for (const pipe of [child.stdin, watchdog]) pipe.on("error", () => {});
  watchdog.resume();
  return { child, watchdog };
}

/** Like `startWatched`, and waits until the program was started. */
export async function launch(options: Launch): Promise<Watched & { group: number }> {
  const { command, cwd } = options;
  const { child, watchdog } = startWatched(options);
  await once(child, "spawn").catch((cause: unknown) => {
    throw new Error(`${command} could not be started in ${cwd} (${String(cause)}).`, { cause });
  });
  return { child, group: child.pid as number, watchdog };
}
