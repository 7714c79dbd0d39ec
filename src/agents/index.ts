export { type ClaudeAgentOptions, createClaudeAgent } from "./claude/index.ts";
export { demoAgent } from "./demo.ts";
export { outsideAgent } from "./outside.ts";
export { createAgentRegistry } from "./registry.ts";
