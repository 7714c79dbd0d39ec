import type { ReadStream, WriteStream } from "node:tty";

/** Where a person sits: keys come in, lines go out. */
export interface Terminal {
  input: ReadStream;
  output: WriteStream;
}

/** What a command may reach of the process that it runs in, so that tests can stand in for it. */
export interface Io {
  /** One line on stdout: what scripts read. */
  out(line: string): void;
  /** One line on stderr: words for people. */
  err(line: string): void;
  /** What is piped in; nothing where it is not given. */
  stdin?(): AsyncIterable<Uint8Array>;
  /** Whether a person reads stdout, and no program. */
  isTerminal?: boolean;
  /** Where stdin and stdout are one, and can do more than print; nothing elsewhere. */
  terminal?(): Terminal | undefined;
  env: Readonly<Record<string, string | undefined>>;
  /** Aborts when nobody reads stdout any more, as after `| head`; whoever asks wants to end then. */
  unread?(): AbortSignal;
  /**
   * From the first call on, a request to stop aborts this signal instead of ending the process.
   * A command that does not end then is ended, with this code.
   *
   * @default 0
   */
  stopSignal(exitCode?: number): AbortSignal;
}
