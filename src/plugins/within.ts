/**
 * Settles as `work` does, or rejects with what `late` makes when that takes too long.
 *
 * The timer keeps the process alive: work that never settles would otherwise end it in silence.
 */
export function within<Value>(ms: number, work: Promise<Value>, late: () => Error): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
