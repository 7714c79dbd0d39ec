/** How much is measured. Figures that depend on a size say it in their words. */
export interface Sizes {
  rounds: number;
  /** Asks before the first round, and of a round: alone, and of each of the sessions at once. */
  asks: { before: number; alone: number; each: number; sessions: number };
  /** Turns of a round that are told to many clients. */
  toldTurns: number;
  clients: number;
  /** Events of the log that an ask should not notice. */
  longLog: number;
  replayed: number;
  /** Open prompts that a start, or an ask, should not notice. */
  prompts: number;
  /** Prompts that are asked one by one, to see what each of them holds, and those before them. */
  heldPrompts: number;
  promptsBefore: number;
  connections: number;
  overdue: number;
  page: { events: number; updates: number; rounds: number };
  idleMs: number;
}

export const SIZES = {
  full: {
    rounds: 7,
    asks: { before: 100, alone: 100, each: 10, sessions: 50 },
    toldTurns: 10,
    clients: 200,
    longLog: 100_000,
    replayed: 10_000,
    prompts: 10_000,
    heldPrompts: 10_000,
    promptsBefore: 1_000,
    connections: 1_000,
    overdue: 10_000,
    page: { events: 10_000, updates: 150, rounds: 5 },
    idleMs: 1_000,
  },
  quick: {
    rounds: 3,
    asks: { before: 30, alone: 15, each: 1, sessions: 50 },
    toldTurns: 3,
    clients: 200,
    longLog: 10_000,
    replayed: 10_000,
    prompts: 1_000,
    heldPrompts: 600,
    promptsBefore: 300,
    connections: 100,
    overdue: 500,
    page: { events: 10_000, updates: 25, rounds: 2 },
    idleMs: 200,
  },
  tiny: {
    rounds: 1,
    asks: { before: 1, alone: 3, each: 1, sessions: 3 },
    toldTurns: 1,
    clients: 10,
    longLog: 1_000,
    replayed: 500,
    prompts: 50,
    heldPrompts: 30,
    promptsBefore: 10,
    connections: 20,
    overdue: 20,
    page: { events: 200, updates: 5, rounds: 1 },
    idleMs: 50,
  },
} satisfies Record<string, Sizes>;
