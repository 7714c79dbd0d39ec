import {
  listIssues,
  type Log,
  schemaIssues,
  StoreUnavailable,
  type ToolContext,
  ToolError,
} from "../core/index.ts";
import type { OperationManifest } from "./manifest.ts";
import type { RunningCalls } from "./running-calls.ts";

/** An operation's code. Its arguments fit the manifest's schema; how that reads as a type, only the plugin knows. */
export type Operation = (args: never, ctx: ToolContext) => unknown;

/**
 * Runs an operation's own code. An error without a code of its own is a defect, and says whose; so
 * does a result that is not what the manifest promises.
 */
export function runOperation(
  running: OperationCode,
  args: never,
  ctx: ToolContext,
): Promise<unknown> {
  running.calls.begin();
  try {
    // Its promise is not awaited in a frame of ours: it may wait for people for weeks.
    return Promise.resolve(running.code(args, ctx)).then(
      (result) => succeed(running, result),
      (error: unknown) => fail(running, error),
    );
  } catch (error) {
    return fail(running, error);
  }
}

async function succeed(running: OperationCode, result: unknown): Promise<unknown> {
  running.calls.end();
  try {
    checkResult(running.plugin, running.operation, result);
    return result;
  } catch (error) {
    throw toToolError(running, error);
  }
}

async function fail(running: OperationCode, error: unknown): Promise<never> {
  running.calls.end();
  throw toToolError(running, error);
}

function toToolError({ plugin, operation, log }: OperationCode, error: unknown): unknown {
  if (!isDefect(error)) return error;
  log.warn({ plugin, operation: operation.id, error }, "A plugin's operation failed.");
  const message = `The plugin ${plugin} failed in "${operation.id}": ${reasonOf(error)}`;
  return new ToolError("tool_error", message, { cause: error });
}

export interface OperationCode {
  plugin: string;
  operation: OperationManifest;
  code: Operation;
  /** What is counted while it runs. */
  calls: RunningCalls;
  log: Log;
}

function checkResult(plugin: string, operation: OperationManifest, result: unknown): void {
  if (!operation.outputSchema) return;
  const issues = schemaIssues(operation.outputSchema, asJson(result));
  if (issues.length === 0) return;
  throw new ToolError(
    "invalid_output",
    `The plugin ${plugin} gave a result that does not fit the outputSchema of "${operation.id}": ${listIssues(issues)}.`,
  );
}

/** As it will be stored. */
function asJson(result: unknown): unknown {
  const text = JSON.stringify(result) as string | undefined;
  return text === undefined ? null : (JSON.parse(text) as unknown);
}

function isDefect(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return false;
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code !== "string" || code === "" || code === "tool_error";
}

function reasonOf(error: unknown): string {
  const { message } = (error ?? {}) as { message?: unknown };
  return typeof message === "string" && message !== "" ? message : String(error);
}
