const MOST = 10_000;

/** What was set lately, by name; what was set longest ago is forgotten. */
export class Recent<Value> {
  readonly #values = new Map<string, Value>();

  get(name: string): Value | undefined {
    return this.#values.get(name);
  }

  set(name: string, value: Value): void {
    this.#values.delete(name);
    this.#values.set(name, value);
    if (this.#values.size <= MOST) return;
    for (const oldest of this.#values.keys()) {
      this.#values.delete(oldest);
      return;
    }
  }
}
