import type { Log } from "../core/index.ts";

/**
 * What a plugin forgot to await, or threw in a timer of its own, must not end the conversations of
 * everybody else. The server says so in its log and goes on: everything that it promises is on disk
 * before it is said, so there is no half-done state in memory that could be believed later.
 * The returned function takes this back.
 */
export function surviveStrayErrors(log: Log): () => void {
  const say = (error: unknown, sentence: string) => {
    try {
      log.error({ error }, sentence);
    } catch {
      // Where the log cannot be written to, that is no reason to end either.
    }
  };
  const onRejection = (error: unknown) =>
    say(error, "A promise was rejected unheard, most likely by a plugin. The server goes on.");
  const onException = (error: unknown) =>
    say(error, "An error was thrown unheard, most likely by a plugin. The server goes on.");
  process.on("unhandledRejection", onRejection).on("uncaughtException", onException);
  return () => {
    process.off("unhandledRejection", onRejection).off("uncaughtException", onException);
  };
}
