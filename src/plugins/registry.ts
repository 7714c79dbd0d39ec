import type { ToolDefinition, ToolRegistry } from "../core/index.ts";

/** @param plugins tools that may change while the registry is in use; no name in `tools` is theirs */
export function createToolRegistry(
  tools: ToolDefinition[],
  plugins: { readonly tools: ToolDefinition[] } = { tools: [] },
): ToolRegistry {
  const byName = new Map<string, ToolDefinition>();
  for (const tool of tools) {
    if (byName.has(tool.name)) {
      throw new Error(`Two tools are called "${tool.name}". Give one of them another name.`);
    }
    byName.set(tool.name, tool);
  }
  return {
    get: (name) => byName.get(name) ?? plugins.tools.find((tool) => tool.name === name),
    list: () => [...byName.values(), ...plugins.tools],
  };
}
