/** A map that is copied when it is first written to, so that a view that others hold never changes. */
export class Copied<Key, Value> {
  #map: ReadonlyMap<Key, Value>;
  #own: Map<Key, Value> | undefined;

  constructor(map: ReadonlyMap<Key, Value>) {
    this.#map = map;
  }

  get size(): number {
    return this.#map.size;
  }

  get(key: Key): Value | undefined {
    return this.#map.get(key);
  }

  has(key: Key): boolean {
    return this.#map.has(key);
  }

  entries(): Iterable<[Key, Value]> {
    return this.#map.entries();
  }

  set(key: Key, value: Value): void {
    if (this.#map.has(key) && this.#map.get(key) === value) return;
    this.#write().set(key, value);
  }

  delete(key: Key): void {
    if (this.#map.has(key)) this.#write().delete(key);
  }

  /** The map it began with, if nothing was written. */
  result(): ReadonlyMap<Key, Value> {
    return this.#map;
  }

  #write(): Map<Key, Value> {
    if (!this.#own) this.#map = this.#own = new Map(this.#map);
    return this.#own;
  }
}
