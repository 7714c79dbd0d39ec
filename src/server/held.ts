/**
 * Runs work that may be held for long, with a signal that aborts when the first of `signals` does.
 * Lets go of them afterwards: some live as long as the server.
 */
export async function held<Result>(
  signals: AbortSignal[],
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const first = new AbortController();
  const abort = () => first.abort();
  for (const signal of signals) {
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
  }
  try {
    return await work(first.signal);
  } finally {
    for (const signal of signals) signal.removeEventListener("abort", abort);
  }
}
