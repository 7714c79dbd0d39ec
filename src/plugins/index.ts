export { createBashTool } from "./builtin/bash/bash.ts";
export { builtinTools } from "./builtin/index.ts";
export { loadPlugins } from "./loader.ts";
export type { PluginProblem } from "./problem.ts";
export { createToolRegistry } from "./registry.ts";
export type { PluginInstance, PluginSetup } from "./start-plugin.ts";
