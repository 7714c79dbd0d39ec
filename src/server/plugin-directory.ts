/** What the routes need to know of plugins. */
export interface PluginDirectory {
  list(): PluginInfo[];
  /** The tool that an operation is, or undefined if there is no such plugin or operation. */
  toolFor(pluginId: string, operationId: string): string | undefined;
}

interface PluginInfo {
  id: string;
  version: string;
  description?: string;
  operations: { id: string; summary: string; inputSchema: unknown }[];
}
