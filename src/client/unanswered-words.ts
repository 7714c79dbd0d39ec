import type { InputSchema } from "../protocol/index.ts";

/** Where an answer goes to a prompt whose call no longer waits for it. */
export const LATE_NOTICE = {
  orphaned: "The run that asked is gone; your answer will be sent as a message.",
  queued: "The agent did not wait. Your answer will reach it as a message.",
} as const;

/** The two ways to end a form or questions without an answer, and what each does. */
export function waysToLeave(schema: InputSchema | undefined) {
  return {
    skip: { label: schema?.cancelLabel ?? "Skip", does: "gives no answer." },
    refuse: { label: "Refuse", does: "says no to whoever asks." },
  };
}
