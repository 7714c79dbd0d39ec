/** An interrupt keeps the program's conversation in order; the others follow where it does not help. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGKILL"] as const;

/** How long a program may take to end after each signal. */
const PATIENCE_MS = 2_000;

/**
 * Ends a process group when the signal comes.
 *
 * @returns what to call when it has ended
 */
export function endOn(
  signal: AbortSignal,
  group: number,
  patienceMs: number = PATIENCE_MS,
): () => void {
  const left: NodeJS.Signals[] = [...SIGNALS];
  let timer: NodeJS.Timeout | undefined;
  const next = () => {
    const one = left.shift();
    if (one === undefined) return;
    signalGroup(group, one);
    timer = setTimeout(next, patienceMs);
  };
  if (signal.aborted) next();
  else signal.addEventListener("abort", next, { once: true });
  return () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", next);
  };
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch {
    // Nobody is left in it.
  }
}
