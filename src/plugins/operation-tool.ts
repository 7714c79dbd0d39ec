import { defineTool, type Log, type ToolApproval, type ToolDefinition } from "../core/index.ts";
import { LIMITS } from "../protocol/index.ts";
import { type OperationManifest, type PluginManifest, toolNameOf } from "./manifest.ts";
import { BrokenPlugin } from "./problem.ts";
import { type Operation, runOperation } from "./run-operation.ts";
import type { RunningCalls } from "./running-calls.ts";

/** An operation of a plugin, as the tool that agents call. */
export function toTool(
  manifest: PluginManifest,
  operation: OperationManifest,
  { code, calls, log }: { code: Operation; calls: RunningCalls; log: Log },
): ToolDefinition {
  const running = { plugin: manifest.id, operation, code, calls, log };
  return defineTool<never>({
    name: toolNameOf(manifest.id, operation.id),
    description: operation.summary,
    parameters: operation.inputSchema,
    version: manifest.version,
    plugin: manifest.id,
    ...(operation.durable && { durable: operation.durable }),
    ...(operation.presentation && { presentation: operation.presentation }),
    ...(operation.onlyAsks && { onlyAsks: true, pureHooks: true }),
    ...(operation.approval && { approval: toApproval(operation.approval) }),
    ...(operation.timeoutMs !== undefined && { timeoutMs: operation.timeoutMs }),
    handler: (args, ctx) => runOperation(running, args, ctx),
  });
}

function toApproval({
  prompt,
  ...rest
}: NonNullable<OperationManifest["approval"]>): ToolApproval<never> {
  return { ...rest, ...(prompt !== undefined && { prompt: () => prompt }) };
}

/** Refuses tool names that cannot be had, before any of the plugin's code runs. */
export function checkOperations(manifest: PluginManifest, taken: ReadonlySet<string>): void {
  for (const { id } of manifest.operations) {
    const name = toolNameOf(manifest.id, id);
    if (name.length > LIMITS.idCharacters) {
      throw new BrokenPlugin(
        `Its tool name "${name}" is longer than ${LIMITS.idCharacters} characters.`,
      );
    }
    if (taken.has(name)) {
      throw new BrokenPlugin(
        `Its operation "${id}" would be the tool "${name}", which exists already.`,
      );
    }
  }
}
