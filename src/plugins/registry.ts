import type { ToolDefinition, ToolRegistry } from "../core/index.ts";

export function createToolRegistry(tools: ToolDefinition[]): ToolRegistry {
  const byName = new Map<string, ToolDefinition>();
  for (const tool of tools) {
    if (byName.has(tool.name)) {
      throw new Error(`Two tools are called "${tool.name}". Give one of them another name.`);
    }
    byName.set(tool.name, tool);
  }
  return { get: (name) => byName.get(name), list: () => [...byName.values()] };
}
