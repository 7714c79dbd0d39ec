import type { createSpawn } from "./spawn.ts";

/*
 * The part of `@anthropic-ai/claude-agent-sdk` that is used here, in our words: the package is large
 * and not ours to bring along, so nothing of it is needed to build or to start.
 */

export interface ClaudeSdk {
  query(parameters: { prompt: AsyncIterable<UserInput>; options: QueryOptions }): Query;
}

/** With what a query is started; the SDK gets whatever else the agent's settings say. */
export interface QueryOptions {
  env: Record<string, string | undefined>;
  cwd: string;
  model?: string;
  permissionMode: string;
  allowDangerouslySkipPermissions?: boolean;
  settingSources?: string[];
  settings?: { permissions: { ask: string[]; allow: string[] } };
  mcpServers?: Record<string, McpServer>;
  hooks?: Record<string, unknown>;
  systemPrompt: { type: "preset"; preset: "claude_code"; append?: string };
  resume?: string;
  includePartialMessages: boolean;
  canUseTool: CanUseTool;
  onElicitation: OnElicitation;
  spawnClaudeCodeProcess?: ReturnType<typeof createSpawn>;
}

/** An MCP server that Claude Code is to use. */
export interface McpServer {
  type: string;
  url?: string;
  headers?: Record<string, string>;
  timeout?: number;
  alwaysLoad?: boolean;
}

export interface Query extends AsyncIterable<SdkMessage> {
  interrupt(): Promise<unknown>;
  setPermissionMode(mode: string): Promise<void>;
  setModel(model?: string): Promise<void>;
  /** What it said at its start. */
  initializationResult?(): Promise<Initialized>;
  close(): void;
}

/** What Claude Code says of itself when it starts. */
export interface Initialized {
  models?: { value: string; displayName?: string; description?: string }[];
  commands?: { name: string; description?: string }[];
}

/** A message that goes into a running query. */
export interface UserInput {
  type: "user";
  message: { role: "user"; content: string };
  parent_tool_use_id: null;
  session_id: string;
  /** Under which Claude Code keeps it. */
  uuid: string;
}

export type ContentBlock =
  | { type: "text"; text: string }
  | { type: "thinking"; thinking: string }
  | { type: "tool_use"; id: string; name: string; input: unknown }
  | {
      type: "tool_result";
      tool_use_id: string;
      content?: string | ResultPart[];
      is_error?: boolean;
    }
  | { type: "other" };

export interface ResultPart {
  type: string;
  text?: string;
  /** Of an image. */
  source?: { type: string; media_type?: string; data?: string };
}

interface ModelUsage {
  inputTokens?: number;
  cacheReadInputTokens?: number;
  cacheCreationInputTokens?: number;
  outputTokens?: number;
  costUSD?: number;
}

interface Common {
  session_id: string;
  parent_tool_use_id?: string | null;
}

/** What comes out of a query; of other types than these nothing is taken. */
export type SdkMessage = Common &
  (
    | {
        type: "system";
        subtype: string;
        model?: string;
        /** With `status`: it has changed, by Claude Code itself or because it was told to. */
        permissionMode?: string;
        /** With `task_notification`: how a sub-agent in the background ended. */
        tool_use_id?: string;
        status?: string | null;
        summary?: string;
        compact_result?: string;
        compact_error?: string;
        compact_metadata?: { pre_tokens?: number; post_tokens?: number };
      }
    | { type: "stream_event"; event: StreamPiece }
    | {
        type: "assistant";
        message: { content: ContentBlock[]; model?: string };
        error?: string;
      }
    | {
        type: "user";
        message: { content: string | ContentBlock[] };
        /** What its one result tells programs, in the words of the tool. */
        tool_use_result?: unknown;
      }
    | {
        type: "result";
        subtype: string;
        is_error: boolean;
        result?: string;
        errors?: string[];
        terminal_reason?: string;
        usage?: unknown;
        total_cost_usd?: number;
        model_usage_since_last_result?: Record<string, ModelUsage>;
        deferred_tool_use?: { id: string; name: string; input: Record<string, unknown> };
      }
    | { type: "other" }
  );

export type StreamPiece =
  | {
      type: "content_block_start";
      index: number;
      content_block: { type: string; id?: string; name?: string };
    }
  | {
      type: "content_block_delta";
      index: number;
      delta: { type: string; text?: string; partial_json?: string };
    }
  | { type: "message_start" | "message_stop" }
  | { type: "other" };

/** What a PreToolUse hook is given, and what it says. */
export interface PreToolUse {
  tool_name: string;
  tool_use_id: string;
  permission_mode?: string;
  agent_id?: string;
}

export type PreToolUseReply =
  | Record<string, never>
  | {
      hookSpecificOutput: {
        hookEventName: "PreToolUse";
        permissionDecision: "ask" | "deny" | "defer";
        permissionDecisionReason?: string;
      };
    };

/** What the SDK would add to its rules if a person said "do not ask again". */
export interface PermissionUpdate {
  type: string;
  rules?: { toolName: string; ruleContent?: string }[];
  directories?: string[];
  mode?: string;
  destination?: string;
}

export interface AskOptions {
  signal: AbortSignal;
  toolUseID: string;
  requestId?: string;
  title?: string;
  displayName?: string;
  description?: string;
  decisionReason?: string;
  decisionReasonType?: string;
  blockedPath?: string;
  /** A rule of the person's that it be asked about, also where there is another reason. */
  matchedAskRule?: object;
  suggestions?: PermissionUpdate[];
}

export type CanUseTool = (
  toolName: string,
  input: Record<string, unknown>,
  options: AskOptions,
) => Promise<PermissionResult>;

export type PermissionResult =
  | {
      behavior: "allow";
      updatedInput?: Record<string, unknown>;
      updatedPermissions?: object[];
    }
  | { behavior: "deny"; message: string; interrupt?: boolean };

export interface ElicitationRequest {
  serverName: string;
  message: string;
  mode?: "form" | "url";
  url?: string;
  requestedSchema?: Record<string, unknown>;
}

export interface ElicitationResult {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, unknown>;
}

export type OnElicitation = (
  request: ElicitationRequest,
  options: { signal: AbortSignal; requestId?: string },
) => Promise<ElicitationResult>;
