export { type ClaudeAgentOptions, createClaudeAgent } from "./claude/index.ts";
export { type ClaudeCliAgentOptions, createClaudeCliAgent } from "./claude-cli/index.ts";
export { type CodexAgentOptions, type CodexSandbox, createCodexAgent } from "./codex/index.ts";
export { demoAgent } from "./demo/index.ts";
export { AGENT_KINDS } from "./kinds.ts";
export { outsideAgent } from "./outside.ts";
export { createAgentRegistry } from "./registry.ts";
