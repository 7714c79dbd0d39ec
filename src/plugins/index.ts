export { createBashTool } from "./builtin/bash/bash.ts";
export { builtinTools } from "./builtin/index.ts";
export type { PluginChange } from "./directory.ts";
export { loadPlugins } from "./loader.ts";
export type { PluginProblem } from "./problem.ts";
export { createToolRegistry } from "./registry.ts";
export { watchPlugins } from "./watch-plugins.ts";
export type { PluginInstance, PluginSetup } from "./start-plugin.ts";
