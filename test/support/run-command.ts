import { run } from "../../src/cli/program.ts";

export interface Ran {
  exitCode: number;
  out: string[];
  err: string;
}

export interface Circumstances {
  env?: Record<string, string>;
  stdin?: string;
  isTerminal?: boolean;
}

/** A command that runs, in this process. */
export interface Running {
  done: Promise<Ran>;
  /** As Ctrl+C does. */
  stop(): void;
  /** When this has been said on stderr. */
  said(words: string): Promise<void>;
  /** When so many lines are on stdout, or it has ended. */
  printed(lines: number): Promise<void>;
  /** What it says first: on stdout, or on stderr when it has ended without. */
  firstLine: Promise<string>;
}

/** Runs a command line of Beckon in this process to its end. */
export function runCommand(args: string[], given?: Circumstances): Promise<Ran> {
  return startCommand(args, given).done;
}

export function startCommand(args: string[], given: Circumstances = {}): Running {
  const { env = {}, stdin, isTerminal } = given;
  const stop = new AbortController();
  const out: string[] = [];
  const err: string[] = [];
  const heard = new Set<() => void>();
  let ended = false;
  const tell = () => heard.forEach((look) => look());
  const until = (isSo: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!ended && !isSo()) return;
        heard.delete(look);
        resolve();
      };
      heard.add(look);
      look();
    });
  const hear = (lines: string[]) => (line: string) => {
    lines.push(line);
    tell();
  };
  const done = run(args, {
    out: hear(out),
    err: hear(err),
    ...(stdin === undefined ? {} : { stdin: () => textOf(stdin) }),
    isTerminal,
    env,
    stopSignal: () => stop.signal,
  }).then((exitCode) => {
    ended = true;
    tell();
    return { exitCode, out, err: err.join("\n") };
  });
  const printed = (lines: number) => until(() => out.length >= lines);
  return {
    done,
    stop: () => stop.abort(),
    said: (words) => until(() => err.join("\n").includes(words)),
    printed,
    firstLine: printed(1).then(() => out[0] ?? err.join("\n")),
  };
}

async function* textOf(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}
