/** What is kept for a session between its turns. */
export interface CodexState {
  v: 1;
  /** How Codex calls the conversation. */
  threadId?: string;
  /** How far its own history has been read: what stands before is in the log, or was not wanted. */
  readTo: number;
  /** The turn at whose end that was. */
  after?: string;
  /** Keys of what was told since and what the log does not tell by an id or as the agent's words. */
  told: string[];
  /** How many tokens the conversation had used when Codex told of them last. */
  used?: { input: number; output: number };
}

/** Where there is no history to compare with, what was told is not kept for ever. */
const TOLD_LIMIT = 2_000;

export function readState(state: unknown): CodexState {
  const known = state as Partial<CodexState> | null;
  return { v: 1, readTo: 0, told: [], ...(known?.v === 1 ? known : {}) };
}

export function withTold(state: CodexState, key: string): CodexState {
  return { ...state, told: [...state.told, key].slice(-TOLD_LIMIT) };
}
