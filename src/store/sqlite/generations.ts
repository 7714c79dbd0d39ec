/** How much a generation holds before it becomes the old one. */
export interface Most {
  entries: number;
  bytes: number;
}

/**
 * Keeps what was used lately, in bounded memory: what is in neither the young generation nor the old
 * one was not used while a whole generation filled up, and is forgotten.
 */
export class Generations<Value> {
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();
  #bytes = 0;
  readonly #most: Most;
  readonly #bytesOf: (value: Value) => number;

  constructor(most: Most, bytesOf: (value: Value) => number) {
    this.#most = most;
    this.#bytesOf = bytesOf;
  }

  get(name: string): Value | undefined {
    const young = this.#young.get(name);
    if (young !== undefined) return young;
    const old = this.#old.get(name);
    if (old !== undefined) this.set(name, old);
    return old;
  }

  set(name: string, value: Value): void {
    this.#bytes += this.#bytesOf(value);
    this.#young.set(name, value);
    if (this.#young.size <= this.#most.entries && this.#bytes <= this.#most.bytes) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#bytes = 0;
  }

  delete(name: string): void {
    this.#young.delete(name);
    this.#old.delete(name);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#bytes = 0;
  }

  *values(): Generator<Value> {
    yield* this.#young.values();
    for (const [name, value] of this.#old) if (!this.#young.has(name)) yield value;
  }
}
