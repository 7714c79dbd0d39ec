import { homedir } from "node:os";
import { resolve } from "node:path";

export interface BashArguments {
  command: string;
  cwd?: string;
  timeoutMs?: number;
  description?: string;
}

/** What is shown, approved, stored and run: no part of it depends on where the server stands. */
export type CompleteBashArguments = BashArguments & { cwd: string };

export const BASH_LIMITS = {
  commandCharacters: 20_000,
  cwdCharacters: 4_096,
  descriptionCharacters: 1_000,
  timeoutMinMs: 1_000,
  timeoutMaxMs: 600_000,
  timeoutDefaultMs: 120_000,
} as const;

/** No argument of a process can hold U+0000. */
const NO_NUL = "^[^\\u0000]*$";

export const BASH_PARAMETERS = {
  type: "object",
  properties: {
    command: {
      type: "string",
      minLength: 1,
      maxLength: BASH_LIMITS.commandCharacters,
      pattern: NO_NUL,
      description: "What to run, as for bash -c",
    },
    cwd: {
      type: "string",
      minLength: 1,
      maxLength: BASH_LIMITS.cwdCharacters,
      pattern: NO_NUL,
      description: "The directory to run it in; the session's, or home, when not given",
    },
    timeoutMs: {
      type: "integer",
      minimum: BASH_LIMITS.timeoutMinMs,
      maximum: BASH_LIMITS.timeoutMaxMs,
      description: `When to stop it; ${BASH_LIMITS.timeoutDefaultMs} when not given`,
    },
    description: {
      type: "string",
      maxLength: BASH_LIMITS.descriptionCharacters,
      description: "What it is for, in a few words, for the person who approves it",
    },
  },
  required: ["command"],
  additionalProperties: false,
};

/** Makes `cwd` absolute: against the session's directory, or else the home directory. */
export function completeArguments(
  args: BashArguments,
  session: { cwd?: string },
): CompleteBashArguments {
  return { ...args, cwd: resolve(homedir(), session.cwd ?? "", args.cwd ?? "") };
}

/** A grant covers this very text in this very directory, and nothing that resembles it. */
export function grantKey({ command, cwd }: CompleteBashArguments): string {
  return JSON.stringify({ command, cwd });
}
