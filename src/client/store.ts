/** Something to read, and to be told about when it changes. Fits React's `useSyncExternalStore`. */
export interface Readable<State> {
  /** The same object until something changed. */
  get: () => State;
  /** Contract: the listener does not throw. Gives what ends it. */
  subscribe: (listener: () => void) => () => void;
}

/** When changes are told: runs `work` once, soon. */
export type Schedule = (work: () => void) => void;

/** After what runs now: changes of one message are told together. */
export const inMicrotask: Schedule = (work) => queueMicrotask(work);

/** Not longer than this, where no frame is drawn: a page that nobody sees is told too. */
const HIDDEN_PAGE_MS = 250;

/** With the next frame: whatever comes between two frames is told together. */
export const inFrame: Schedule = (work) => {
  let isDone = false;
  const once = () => {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    work();
  };
  const timer = setTimeout(once, HIDDEN_PAGE_MS);
  const frame = requestAnimationFrame(once);
};

/** A state whose listeners are told once for all changes that were made until then. */
export class Store<State> implements Readable<State> {
  readonly #listeners = new Set<() => void>();
  readonly #schedule: Schedule;
  readonly #beforeTold: (() => void) | undefined;
  #state: State;
  #isScheduled = false;

  /** `beforeTold` may make the last changes, those that were put off until somebody looks. */
  constructor(state: State, schedule: Schedule, beforeTold?: () => void) {
    this.#state = state;
    this.#schedule = schedule;
    this.#beforeTold = beforeTold;
  }

  get = (): State => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    const own = () => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  };

  set(state: State): void {
    if (state === this.#state) return;
    this.#state = state;
    this.touch();
  }

  /** Tells listeners soon, though nothing may have changed yet. */
  touch(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#schedule(() => {
      this.#beforeTold?.();
      this.#isScheduled = false;
      for (const listener of this.#listeners) listener();
    });
  }
}
