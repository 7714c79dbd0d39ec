/** Counts what is running, and says when nothing is any more. */
export interface RunningCalls {
  begin(): void;
  end(): void;
  untilNone(): Promise<void>;
}

export function createRunningCalls(): RunningCalls {
  let running = 0;
  const waiting: (() => void)[] = [];
  return {
    begin() {
      running++;
    },
    end() {
      running--;
      if (running === 0) for (const resolve of waiting.splice(0)) resolve();
    },
    untilNone: () =>
      running === 0
        ? Promise.resolve()
        : new Promise<void>((resolve) => void waiting.push(resolve)),
  };
}
