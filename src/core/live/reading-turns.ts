import type { Clock } from "../ports.ts";

/** What one turn of the loop may read: some milliseconds of work. */
const BYTES_PER_TURN = 128 * 1024;
/** So many pieces that find nothing fill a turn too. */
const PIECES_PER_TURN = 64;

interface Piece<Value> {
  value: Value;
  bytes: number;
}

/**
 * Lets everybody who reads much take turns. In one turn of the event loop only so much is read, so
 * that whatever else is ready is done between two pieces; and callers come round in order, however
 * many pieces each of them waits for.
 */
export class ReadingTurns {
  readonly #clock: Pick<Clock, "turn">;
  readonly #bytesPerTurn: number;
  /** Pieces that wait, by caller; the first caller is next. */
  readonly #waiting = new Map<string, (() => Promise<number>)[]>();
  #running = false;

  constructor(clock: Pick<Clock, "turn">, bytesPerTurn = BYTES_PER_TURN) {
    this.#clock = clock;
    this.#bytesPerTurn = bytesPerTurn;
  }

  /** Reads a piece when it is the caller's turn. A piece should be no larger than a turn's share. */
  read<Value>(callerId: string, piece: () => Promise<Piece<Value>>): Promise<Value> {
    return new Promise((resolve, reject) => {
      const least = this.#bytesPerTurn / PIECES_PER_TURN;
      const run = () =>
        piece().then(
          ({ value, bytes }) => {
            resolve(value);
            return Math.max(bytes, least);
          },
          (error: unknown) => {
            reject(error);
            return least;
          },
        );
      const waiting = this.#waiting.get(callerId);
      if (waiting) waiting.push(run);
      else this.#waiting.set(callerId, [run]);
      if (!this.#running) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.size > 0) {
      const turn = this.#clock.turn().then(() => Infinity);
      for (let left = this.#bytesPerTurn; left > 0 && this.#waiting.size > 0;) {
        // A store that answers in a later turn holds up nobody but who asked it.
        left -= await Promise.race([this.#next()(), turn]);
      }
      await turn;
    }
    this.#running = false;
  }

  #next(): () => Promise<number> {
    const [callerId, pieces] = this.#waiting.entries().next().value!;
    const piece = pieces.shift()!;
    this.#waiting.delete(callerId);
    if (pieces.length > 0) this.#waiting.set(callerId, pieces);
    return piece;
  }
}
