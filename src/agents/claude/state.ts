import type { CallEnd, Turn } from "../../core/index.ts";

/** What is kept for a session between its turns. */
export interface ClaudeState {
  v: 1;
  /** How Claude Code calls the conversation. */
  sessionId?: string;
  /** A call at which it has ended so that nobody has to wait for a person. */
  deferred?: DeferredUse & {
    turnId: string;
    /** A process goes on with it, or has: it may have run, and would not be asked about again. */
    resumed?: boolean;
  };
  /** How far Claude Code's own record of the conversation is told in the log. */
  history?: HistoryMark;
}

interface HistoryMark {
  /** Whose record it is. */
  sessionId: string;
  /** Where it ended, in bytes. */
  at: number;
  /** The turn that ended there. */
  turnId: string;
}

/** What Claude Code itself keeps of a conversation. */
export interface NativeHistory {
  /** Adds to the log what happened in the conversation since the mark, and is not told there. */
  catchUp(turn: Turn, state: ClaudeState): Promise<void>;
  /** How calls have ended that ran when the process died, as far as the record tells. */
  endsOf(state: ClaudeState, nativeIds: ReadonlySet<string>): Promise<Map<string, CallEnd>>;
  /** Where the record ends now; nothing where there is none. */
  mark(turnId: string, sessionId: string): Promise<HistoryMark | undefined>;
}

/** A use of a tool that is to be made once it is allowed. */
export interface DeferredUse {
  id: string;
  name: string;
  input: Record<string, unknown>;
}

export function readState(state: unknown): ClaudeState {
  const known = state as Partial<ClaudeState> | null;
  return known?.v === 1 ? { v: 1, ...known } : { v: 1 };
}
