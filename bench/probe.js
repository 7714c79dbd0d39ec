// Loaded into the processes that are measured: tells what they have used so far, when asked.
process.on("message", (/** @type {{ collect: boolean }} */ { collect }) => {
  if (collect) for (let times = 0; times < 3; times++) globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send?.({ cpuMs: (user + system) / 1_000, heapBytes: heapUsed + external, rss });
});
// It alone is no reason to stay; and nobody stays behind when the bench is interrupted.
process.channel?.unref();
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
