import { isLostConnection, toStoreError } from "./failures.ts";
import type { Lane, SqlRow } from "./lane.ts";

/** Whoever has waited longer is told so, in place of waiting as long again. */
const SOON_MS = 1_000;

/** Reads on a few connections; what is asked in one turn of the loop shares a round trip. */
export class Reader {
  readonly #lanes: readonly Lane[];
  #ofThisTurn: Lane | undefined;

  constructor(lanes: readonly Lane[]) {
    this.#lanes = lanes;
  }

  /** A connection that was lost on the way is no reason to say no: reading twice does no harm. */
  async read(text: string, values: readonly unknown[] = []): Promise<SqlRow[]> {
    const begunAt = performance.now();
    try {
      return await this.#lane().query(text, values);
    } catch (error) {
      const isSlow = performance.now() - begunAt > SOON_MS;
      if (isSlow || !isLostConnection(error)) throw toStoreError(error);
    }
    try {
      return await this.#lane().query(text, values);
    } catch (error) {
      throw toStoreError(error);
    }
  }

  /** What does harm when it is done twice, or of which the first answer is the only one. */
  async readOnce(text: string, values: readonly unknown[] = []): Promise<SqlRow[]> {
    try {
      return await this.#lane().query(text, values);
    } catch (error) {
      throw toStoreError(error);
    }
  }

  #lane(): Lane {
    if (this.#ofThisTurn) return this.#ofThisTurn;
    const lane = this.#lanes.reduce((one, other) => (other.waiting < one.waiting ? other : one));
    this.#ofThisTurn = lane;
    setImmediate(() => (this.#ofThisTurn = undefined));
    return lane;
  }
}
