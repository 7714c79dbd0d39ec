import {
  listIssues,
  type Log,
  schemaIssues,
  StoreUnavailable,
  type ToolContext,
  ToolError,
} from "../core/index.ts";
import type { OperationManifest } from "./manifest.ts";
import type { Operation } from "./start-plugin.ts";

/**
 * Runs an operation's own code. An error without a code of its own is a defect, and says whose; so
 * does a result that is not what the manifest promises.
 */
export async function runOperation(
  { plugin, operation, code, log }: OperationCode,
  args: never,
  ctx: ToolContext,
): Promise<unknown> {
  try {
    const result = await code(args, ctx);
    checkResult(plugin, operation, result);
    return result;
  } catch (error) {
    if (!isDefect(error)) throw error;
    log.warn({ plugin, operation: operation.id, error }, "A plugin's operation failed.");
    const message = `The plugin ${plugin} failed in "${operation.id}": ${reasonOf(error)}`;
    throw new ToolError("tool_error", message, { cause: error });
  }
}

export interface OperationCode {
  plugin: string;
  operation: OperationManifest;
  code: Operation;
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
