import type { CorePorts } from "../api.ts";

/**
 * Does something again and again, each time so long after the last time is over. What fails is
 * done again all the same.
 */
export function every(
  ports: Pick<CorePorts, "clock" | "log">,
  ms: number,
  what: string,
  work: () => Promise<void>,
): () => void {
  let isStopped = false;
  let stop = () => {};
  const again = () => {
    stop = ports.clock.timer(ms, () => {
      work()
        .catch((error: unknown) => {
          // Who stops closes the store, perhaps before this is over.
          if (!isStopped) ports.log.warn({ error }, `${what} failed`);
        })
        .finally(() => {
          if (!isStopped) again();
        });
    });
  };
  again();
  return () => {
    isStopped = true;
    stop();
  };
}
