import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { Socket } from "node:net";

const STDOUT = 1;

/**
 * Calls back once the last reader of the pipe on stdout has left, as after `| head`. A write would
 * fail then, but a command that waits for something to write would wait for ever. Where stdout is
 * no pipe this never calls back: files have no readers, and a terminal tells by a signal.
 *
 * The kernel tells of it to whoever polls the pipe for anything. Node polls only what it reads, and
 * takes the end of a pipe for one that cannot be read; that of a TCP connection it does not ask.
 */
export function whenNobodyReads(callback: () => void): void {
  if (!fstatSync(STDOUT).isFIFO()) return;
  const pipe = pollable();
  if (pipe === undefined) return;
  // There is nothing to be read here: the only news is that it has come to an end.
  new Socket({ handle: pipe, readable: true, writable: false } as object)
    .on("error", callback)
    .resume()
    .unref();
}

/** Another handle on the pipe, so that its end closes nothing that is written to. */
function pollable(): object | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(`/dev/fd/${STDOUT}`, constants.O_WRONLY | constants.O_NONBLOCK);
    const { TCP, constants: kinds } = tcp();
    const handle = new TCP(kinds.SOCKET);
    if (handle.open(descriptor) === 0) return handle;
  } catch {
    // Not on this system: a write will tell.
  }
  if (descriptor !== undefined) closeSync(descriptor);
  return undefined;
}

interface TcpBinding {
  TCP: new (kind: number) => { open(descriptor: number): number };
  constants: { SOCKET: number };
}

function tcp(): TcpBinding {
  return (process as unknown as { binding(name: string): TcpBinding }).binding("tcp_wrap");
}
