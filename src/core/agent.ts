import type { PermissionMode, TurnTrigger } from "../protocol/index.ts";
import type { ToolDefinition } from "./tool.ts";

export type CallEnd =
  | { ok: true; result: unknown }
  | { ok: false; error: { code: string; message: string } };

export type TurnEnd =
  | { status: "completed" }
  | { status: "failed"; error: { code: string; message: string } };

/** A block of text that people see grow. Only the finished block is stored. */
export interface TextBlock {
  write(text: string): void;
  end(): Promise<void>;
}

/**
 * One turn, as its agent sees it. Everything it does here is stored before it is shown. In a turn
 * that is entered again, what was done already is recognised by its order and not done twice, so a
 * runtime with `reenter: 'replay'` must do the same things in the same order.
 */
export interface Turn {
  readonly sessionId: string;
  readonly turnId: string;
  readonly trigger: TurnTrigger;
  readonly message: { text: string; messageId: string };
  readonly cwd?: string;
  readonly permissionMode: PermissionMode;
  readonly signal: AbortSignal;
  readonly tools: ToolDefinition[];
  text(text: string): Promise<void>;
  thinking(text: string): Promise<void>;
  startText(): TextBlock;
  call(toolName: string, input: unknown): Promise<CallEnd>;
}

/** Something that answers messages, one turn a call of `run`. It never writes the log itself. */
export interface AgentRuntime {
  id: string;
  name: string;
  description: string;
  capabilities: {
    /** How a turn goes on after its process died: by running it again, by itself, or not at all. */
    reenter: "replay" | "native" | "none";
    steer: boolean;
  };
  run(turn: Turn): Promise<TurnEnd>;
}

export interface AgentRegistry {
  get(id: string): AgentRuntime | undefined;
  list(): AgentRuntime[];
}
