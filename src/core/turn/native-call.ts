import type { ApprovalScope, RequestContext } from "../../protocol/index.ts";
import type { CallEnd, InteractionRequestWithHooks } from "../call/tool.ts";

/** One use of a tool as an agent's runtime tells of it. */
export interface NativeUse {
  /** The runtime's own id; it becomes the call's unless the session has one of that name. */
  nativeId: string;
  toolName: string;
  input: unknown;
  /** The call inside which it is made, by a sub-agent. */
  parentCallId?: string;
}

/** What a runtime asks before it executes a call. */
export interface NativeApproval {
  /** What kind of approval it is, where it is not one to run something. */
  kind?: string;
  prompt?: string;
  context?: RequestContext;
  /** What an approval for the session or for always covers: calls with this key. @default the input */
  key?: string;
  covers?: { session?: string[]; always?: string[] };
  scopes?: ApprovalScope[];
  editable?: boolean;
  /** What the runtime will run can do nothing but ask people: nobody is asked whether it may. */
  onlyAsks?: boolean;
  timeoutMs?: number | null;
  /** Aborts when the runtime no longer wants to know: the prompt is withdrawn everywhere. */
  signal?: AbortSignal;
}

/** How a call may run. */
export interface NativePermission {
  /** What runs: the input, as the person left it. */
  input: unknown;
  edited: boolean;
}

/** A call that an agent's runtime executes itself, and that people see like any other. */
export interface NativeCall {
  readonly toolCallId: string;
  /** Somebody denied it and said that the turn is to stop: it does when the call is ended. */
  readonly stopped: boolean;
  /** It has its result, or is about to: its native id used again is another call. */
  readonly ended: boolean;
  /**
   * Resolves when a person, or what one of them allowed before, lets it run; asked again it gives
   * the same again. Throws a `ToolError`: `tool_denied` with the person's reason,
   * `interaction_timeout`, `interaction_cancelled`.
   */
  approve(approval: NativeApproval): Promise<NativePermission>;
  /** Asks something else about it. */
  ask(request: InteractionRequestWithHooks, signal?: AbortSignal): Promise<unknown>;
  /** Shows a piece of output while it runs. Not stored. */
  output(text: string): void;
  end(end: CallEnd): Promise<void>;
}
