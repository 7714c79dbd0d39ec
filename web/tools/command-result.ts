import type { ToolCallView } from "../../src/client/index.ts";
import { asRecord } from "./as-record.ts";

/** What a command gave back, in whichever of the usual shapes its tool tells it. */
export interface CommandResult {
  /** What it wrote, where the tool does not tell the two apart. */
  output?: string;
  stdout?: string;
  stderr?: string;
  exitCode?: number;
  /** Why it ended, other than by itself. */
  note?: string;
  durationMs?: number;
}

const SHELLS = new Set(["bash", "Bash", "shell"]);
/** How Claude Code tells of a command that failed. */
const FAILED = /^Exit code (\d+)\n?([^]*)$/;

/** The same of a call, also where its tool tells of it in words alone. */
export function commandResultOf({
  name,
  result,
  error,
}: Pick<ToolCallView, "name" | "result" | "error">): CommandResult | undefined {
  if (!SHELLS.has(name)) return toCommandResult(result);
  if (typeof result === "string") return { output: result };
  const [, code, output] = FAILED.exec(error?.code === "tool_error" ? error.message : "") ?? [];
  return code === undefined ? toCommandResult(result) : { output, exitCode: Number(code) };
}

export function toCommandResult(result: unknown): CommandResult | undefined {
  const given = asRecord(result);
  if (!given) return undefined;
  const output = textOf(given, "output");
  const stdout = textOf(given, "stdout");
  const stderr = textOf(given, "stderr");
  if (output === undefined && stdout === undefined && stderr === undefined) return undefined;
  return {
    output,
    stdout,
    stderr,
    exitCode: numberOf(given, "exitCode", "exit_code", "code"),
    note: textOf(given, "note"),
    durationMs: numberOf(given, "durationMs", "duration_ms"),
  };
}

function textOf(given: Record<string, unknown>, key: string): string | undefined {
  const value = given[key];
  return typeof value === "string" ? value : undefined;
}

function numberOf(given: Record<string, unknown>, ...keys: string[]): number | undefined {
  return keys.map((key) => given[key]).find((value) => typeof value === "number");
}
