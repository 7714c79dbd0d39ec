/**
 * Reads server-sent events off a body until it ends or `signal` aborts. `chunk` is called for everything that comes,
 * also for comments, which only say that somebody is there.
 */
export async function readEventStream(
  body: ReadableStream<Uint8Array>,
  on: { chunk(): void; data(text: string): void },
  signal: AbortSignal,
): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", cancel);
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      on.chunk();
      const events = (text + decoder.decode(value, { stream: true })).split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) {
        const data = event.split("\n").filter((line) => line.startsWith("data:"));
        if (data.length > 0) on.data(data.map((line) => line.slice(5).trimStart()).join("\n"));
      }
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}
