import type { Durability, Log, ToolDefinition } from "../core/index.ts";
import type { Presentation } from "../protocol/index.ts";
import { type PluginManifest, toolNameOf } from "./manifest.ts";
import type { PluginProblem } from "./problem.ts";
import type { PluginInstance } from "./start-plugin.ts";
import { within } from "./within.ts";

/** One plugin, as `GET /api/plugins` shows it. A type, so that it may stand where more keys may. */
type PluginRecord = {
  id: string;
  version: string;
  description?: string;
  operations: {
    id: string;
    summary: string;
    inputSchema: Record<string, unknown>;
    toolName: string;
    durable: Durability;
    presentation?: Presentation;
  }[];
};

/** The plugins that a server has, and why it does not have others. */
export interface PluginDirectory {
  readonly tools: ToolDefinition[];
  readonly problems: PluginProblem[];
  list(): PluginRecord[];
  /** The name of the tool that an operation is. */
  toolFor(pluginId: string, operationId: string): string | undefined;
  /** Tells every plugin to let go of what it holds. A plugin that fails or hangs is logged. */
  shutdown(): Promise<void>;
}

export interface LoadedPlugin {
  manifest: PluginManifest;
  instance: PluginInstance;
  tools: ToolDefinition[];
}

export function createPluginDirectory(
  plugins: LoadedPlugin[],
  problems: PluginProblem[],
  options: { log: Log; shutdownTimeoutMs: number },
): PluginDirectory {
  const records = plugins.map(({ manifest }) => toRecord(manifest));
  return {
    tools: plugins.flatMap(({ tools }) => tools),
    problems,
    list: () => records,
    toolFor: (pluginId, operationId) =>
      records.find(({ id }) => id === pluginId)?.operations.find(({ id }) => id === operationId)
        ?.toolName,
    async shutdown() {
      await Promise.all(
        plugins.map(async ({ manifest, instance }) => {
          try {
            const done = Promise.resolve(instance.shutdown?.());
            await within(options.shutdownTimeoutMs, done, () => new Error("It did not finish."));
          } catch (error) {
            options.log.warn({ plugin: manifest.id, error }, "A plugin did not shut down.");
          }
        }),
      );
    },
  };
}

function toRecord({ id, version, description, operations }: PluginManifest): PluginRecord {
  return {
    id,
    version,
    ...(description !== undefined && { description }),
    operations: operations.map((operation) => ({
      id: operation.id,
      summary: operation.summary,
      inputSchema: operation.inputSchema,
      toolName: toolNameOf(id, operation.id),
      durable: operation.durable ?? "orphan",
      ...(operation.presentation && { presentation: operation.presentation }),
    })),
  };
}
