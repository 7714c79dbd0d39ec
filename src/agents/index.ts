export { type ClaudeAgentOptions, createClaudeAgent } from "./claude/index.ts";
export { DECIDED_IN_TERMINAL } from "./claude/hook.ts";
export { type TerminalEnd, TerminalTranscript } from "./claude/terminal-transcript.ts";
export { type ClaudeCliAgentOptions, createClaudeCliAgent } from "./claude-cli/index.ts";
export { type CodexAgentOptions, type CodexSandbox, createCodexAgent } from "./codex/index.ts";
export { demoAgent } from "./demo/index.ts";
export { AGENT_KINDS } from "./kinds.ts";
export { outsideAgent } from "./outside.ts";
export { createAgentRegistry } from "./registry.ts";
