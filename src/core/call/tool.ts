import {
  type ApprovalOption,
  type ApprovalScope,
  type Action,
  ClientId,
  type FieldErrors,
  type FileChange,
  type InputSchema,
  type InteractionType,
  type Issue,
  LIMITS,
  type Presentation,
  type Question,
  type RequestContext,
  type Responder,
} from "../../protocol/index.ts";
import type { Durability } from "../rows.ts";

/** What a person did, as a tool's hook sees it. Secret values are here and nowhere else. */
export interface UserResponse {
  action: Action;
  approvalScope?: ApprovalScope;
  optionId?: string;
  input?: Record<string, unknown>;
  updatedInput?: unknown;
  stop?: boolean;
  reason?: string;
}

/** Which prompt a hook is called for. */
export interface PromptInfo {
  interactionId: string;
  attempt: number;
}

export interface ResponseInfo extends PromptInfo {
  responder: Responder;
}

/** What to show. What a re-prompt does not give (presentation, timeout, scopes) is as before. */
export interface Prompt {
  type: InteractionType;
  kind?: string;
  /** Names this prompt among those of its call; needed when several are open at once. */
  key?: string;
  prompt?: string;
  /** What people are to call what is asked about, beside the tool's name. */
  title?: string;
  /** What would become of files: shown as a diff of each. */
  changes?: FileChange[];
  context?: RequestContext;
  /** @default ['once', 'session'] */
  approvalScopes?: ApprovalScope[];
  approvalOptions?: ApprovalOption[];
  /** What an approval of a wider scope covers beside this call, in words. */
  approvalCovers?: { session?: string[]; always?: string[] };
  /** Lets the person change the tool's input before approving it. */
  editable?: boolean;
  inputSchema?: InputSchema;
  questions?: (Omit<Question, "multiSelect"> & { multiSelect?: boolean })[];
  link?: { url: string };
  /**
   * One second to 365 days, or `null` to wait for ever. @default five minutes, unless the tool is
   * `patient` or the server's settings say otherwise
   */
  timeoutMs?: number | null;
  /** What to do when nobody is there to ask. @default 'throw', with the same exceptions */
  whenUnavailable?: "throw" | "wait";
  /** @default 'tool' */
  presentation?: Presentation;
  completedView?: { showInputs?: boolean; summaryTemplate?: string };
  error?: string;
  fieldErrors?: FieldErrors;
}

export type HookOutcome =
  | { complete: unknown }
  | { reprompt: Prompt }
  /** `queued: false`: the prompt closes, and no answer to it comes later. @default true */
  | { pending: { message: string; queued?: boolean } };

export interface InteractionRequestWithHooks extends Prompt {
  /**
   * Called with the response that won. Its outcome decides what happens next; it is stored once
   * and never asked for again. Until then it may run more than once: put effects into `ctx.step`.
   *
   * Contract: return `reprompt` for input that is not good enough; throw only for real failures.
   */
  onResponse(response: UserResponse, info: ResponseInfo): HookOutcome | Promise<HookOutcome>;
  /**
   * Called when nobody answered in time. Return `pending` to let a late answer arrive as a message.
   *
   * @default the call fails with `interaction_timeout`
   */
  onTimeout?(info: PromptInfo): HookOutcome | Promise<HookOutcome>;
  /** Called when the run is cancelled while this prompt is open. */
  onCancel?(): void | Promise<void>;
}

export interface Availability {
  /** Whether a person is there who could answer. */
  readonly available: boolean;
  readonly enabledCount: number;
  readonly supportedCount: number;
}

export interface Approvals {
  /** The widest grant that this tool has for `key`. A `once` grant is used up by the call that gets it. */
  get(key: string, sessionId?: string): Promise<ApprovalScope | null>;
  /** Works only inside `onResponse` of an approval, for a scope no wider than the person chose. */
  set(key: string, scope: ApprovalScope, sessionId?: string): Promise<void>;
  clearSession(sessionId: string): Promise<void>;
}

export interface ToolContext {
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly turnId?: string;
  readonly responseId?: string;
  /** The session's working directory. */
  readonly cwd?: string;
  /** Aborts when the call is cancelled, or when this process may no longer act for it. */
  readonly signal: AbortSignal;
  /** Asks people, and resolves with what the hooks made of the answer. */
  requestInteraction(request: InteractionRequestWithHooks): Promise<unknown>;
  readonly interaction: Availability;
  readonly approvals: Approvals;
  /** Runs `fn` once and remembers its result: a call that is run again gets that instead. */
  step<Result>(name: string, fn: () => Result | Promise<Result>): Promise<Result>;
  /**
   * Milliseconds since 1970; the same again when the call is run again. Of a `replay` tool it is the
   * time of the last step, answer or start of its call that is stored, not of this instant.
   */
  now(): number;
  /** A UUID that nobody can guess; the same again when the call is run again, before any write. */
  uuid(): string;
  /** Shows a piece of output while the call runs. Not stored. */
  output(text: string): void;
}

/**
 * Says that a person must approve a call before its handler runs, unless a remembered approval
 * covers it. What is shown, what is stored and what runs are the same arguments.
 */
export interface ToolApproval<Args> {
  /**
   * Fills in what the arguments leave open, before anybody sees them, so that nothing of what will
   * run is left to chance. Contract: gives the same again for what it gave.
   */
  complete?(args: Args, facts: { cwd?: string }): Args;
  /**
   * Whether this call can do nothing but ask people, so that asking whether it may is once too often.
   * It then runs as the tool's own. @default false
   */
  onlyAsks?(args: Args): boolean;
  /** What an approval for the session or for always covers: calls with this key. @default the input */
  key?(args: Args): string;
  /** In place of `key`, where it covers several things: each is remembered by itself. */
  keys?: string[];
  prompt?(args: Args): string;
  /** What kind of approval it is, where it is not one to run something. */
  kind?: string;
  /** Facts that stand beside it. */
  context?: RequestContext;
  /** What the wider scopes cover, where `key` covers more than the same input. */
  covers?: { session?: string[]; always?: string[] };
  /** @default ['once', 'session'] */
  scopes?: ApprovalScope[];
  /** Choices in words of their own, in place of scopes. */
  options?: ApprovalOption[];
  /** `agent`: an agent's runtime keeps what a wider scope allows. @default a grant of the server's */
  rememberedBy?: "beckon" | "agent";
  /** Lets the person change the arguments before approving them. */
  editable?: boolean;
  /**
   * When it is over, the call ends as `interaction_timeout`. @default as the server's settings say,
   * else it waits for ever
   */
  timeoutMs?: number | null;
}

export interface ToolDefinition {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  parameters: Record<string, unknown>;
  /** A waiting call is not run again by another version of its tool. */
  version?: string;
  /**
   * `replay`: after a restart the handler is run again from its top and finds what it already did.
   * `orphan`: a restart ends the call, and its answer arrives as a message.
   *
   * @default 'orphan'
   */
  durable?: Durability;
  /**
   * Its hooks only make a result of the answer and touch nothing else: they need not wait until the
   * answer is on disk. People hear of either only then.
   *
   * @default false
   */
  pureHooks?: boolean;
  /**
   * It is there to ask people: its prompts wait for people who are not there yet, and without a
   * deadline, unless they or the server's settings say otherwise. @default false
   */
  patient?: boolean;
  /**
   * It does nothing but ask people and give back what they say: an agent's shell that calls it, and
   * nothing else, needs no permission. @default false
   */
  onlyAsks?: boolean;
  /** For its prompts, unless they say otherwise. @default 'tool' */
  presentation?: Presentation;
  /** The plugin that it is an operation of. */
  plugin?: string;
  /**
   * How long its handler may take by itself: the time in which it waits for people is not counted.
   * Then its signal aborts and the call ends with `tool_timeout`.
   *
   * @default as long as it likes
   */
  timeoutMs?: number;
  /** @default none: the tool runs, and asks by itself where it must */
  approval?: ToolApproval<never>;
  handler(args: never, ctx: ToolContext): unknown;
}

/** The shape of a tool, checked and typed; has no effect of its own. */
export function defineTool<Args = Record<string, unknown>>(
  tool: Omit<ToolDefinition, "handler" | "approval"> & {
    approval?: ToolApproval<Args>;
    handler(args: Args, ctx: ToolContext): unknown;
  },
): ToolDefinition {
  if (!ClientId.safeParse(tool.name).success) {
    throw new Error(
      `"${tool.name}" is no tool name: use 1 to ${LIMITS.idCharacters} letters, digits, _ or -.`,
    );
  }
  return tool as ToolDefinition;
}

/** How a call ended: with its result, or with an error that agents and scripts can act on. */
export type CallEnd =
  | { ok: true; result: unknown }
  | { ok: false; error: { code: string; message: string; issues?: Issue[] } };

export interface ToolRegistry {
  get(name: string): ToolDefinition | undefined;
  list(): ToolDefinition[];
}

/** An error that ends a tool call with a code that agents and scripts can act on. */
export class ToolError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ToolError";
    this.code = code;
  }
}
