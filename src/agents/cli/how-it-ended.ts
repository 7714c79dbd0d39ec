/** How a program ended. */
export interface CliEnd {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** The last that it wrote to its standard error. */
  errors: string;
}

/** Enough for a message with the stack below it. */
const LINES = 20;

/** `ended with exit code 1`, `ended by SIGKILL`. */
export function howItEnded({ exitCode, signal }: CliEnd): string {
  return signal === null ? `ended with exit code ${exitCode}` : `ended by ${signal}`;
}

/** What a sentence about its end goes on with: what it said last, or that it said nothing. */
export function lastWords(said: string): string {
  return said === "" ? " and gave no reason." : `: ${said.split("\n").slice(-LINES).join("\n")}`;
}
