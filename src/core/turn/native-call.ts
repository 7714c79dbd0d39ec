import type {
  ApprovalOption,
  ApprovalScope,
  CallAbout,
  RequestContext,
} from "../../protocol/index.ts";
import type { CallEnd, InteractionRequestWithHooks } from "../call/tool.ts";

/** One use of a tool as an agent's runtime tells of it. */
export interface NativeUse extends CallAbout {
  /** The runtime's own id; it becomes the call's unless the session has one of that name. */
  nativeId: string;
  /** The runtime gave none, so this one was made up. @default false */
  isMadeUp?: boolean;
  toolName: string;
  input: unknown;
  /** The call inside which it is made, by a sub-agent. */
  parentCallId?: string;
  /**
   * It is one of our tools, by its own name, which the runtime's process calls over MCP: it runs here
   * as any call of the turn, and is not approved by the runtime's rules.
   */
  isOurs?: boolean;
}

/** What a runtime asks before it executes a call. */
export interface NativeApproval {
  /** What kind of approval it is, where it is not one to run something. */
  kind?: string;
  prompt?: string;
  context?: RequestContext;
  /**
   * What an approval for the session or for always covers: calls that need no more than these, each
   * remembered by itself. @default the input
   */
  keys?: string[];
  covers?: { session?: string[]; always?: string[] };
  scopes?: ApprovalScope[];
  /** The runtime's own choices, in its own words, in place of scopes. */
  options?: ApprovalOption[];
  /**
   * Who keeps what a wider scope allows. `agent`: the runtime itself, which is told of it.
   *
   * @default 'beckon': a grant of the server's
   */
  rememberedBy?: "beckon" | "agent";
  editable?: boolean;
  /** What the runtime will run can do nothing but ask people: nobody is asked whether it may. */
  onlyAsks?: boolean;
  timeoutMs?: number | null;
  /** Aborts when the runtime no longer wants to know: the prompt is withdrawn everywhere. */
  signal?: AbortSignal;
}

/** What was decided about a call. One that was denied has its result already. */
export type NativePermission = NativeDecision &
  (
    | { allowed: true }
    | { allowed: false; /** The person's words, or that it was denied. */ reason: string }
  );

export interface NativeDecision {
  /** What runs: the input, as the person left it. */
  input: unknown;
  edited: boolean;
  /** How far the approval goes, by the prompt or by the grant that covers the call. */
  scope?: ApprovalScope;
  /** Which of the runtime's own choices it was. */
  optionId?: string;
  /** The prompt in which a person decided; missing where none was asked. */
  interactionId?: string;
}

/** A call that an agent's runtime executes itself, and that people see like any other. */
export interface NativeCall {
  readonly toolCallId: string;
  /** Somebody denied it and said that the turn is to stop: it does when the call is ended. */
  readonly stopped: boolean;
  /**
   * It has its result, or is about to: its native id used again is another call. One that was denied
   * has ended once the runtime has said so too.
   */
  readonly ended: boolean;
  /** Tells more of what it is about, while it runs; what is not given stays. */
  update(about: CallAbout): Promise<void>;
  /**
   * Resolves when a person, or what one of them allowed before, has decided; asked again it gives the
   * same again. A call that is denied is ended with that, so a runtime that says nothing more of it
   * leaves no open end. Throws a `ToolError`: `interaction_timeout`, `interaction_cancelled`.
   */
  approve(approval: NativeApproval): Promise<NativePermission>;
  /** Asks something else about it. */
  ask(request: InteractionRequestWithHooks, signal?: AbortSignal): Promise<unknown>;
  /** Shows a piece of output while it runs. Not stored. */
  output(text: string): void;
  end(end: CallEnd): Promise<void>;
}
