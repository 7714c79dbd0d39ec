import { payerOf, type Quotas, type Who } from "../core/index.ts";

/** Counts what one caller sends and is sent, whatever carries it. */
export interface Meter {
  /** Counts a request or a frame with what it holds. Throws `too_many` when the caller has none left. */
  received(bytes: number): void;
  /** Counts what is on its way to the caller. */
  sent(bytes: number): void;
  /** Resolves when the caller may be sent more: what can wait is paced by it. */
  maySend(): Promise<void>;
}

export function meterOf(quotas: Quotas, who: Who): Meter {
  const payer = payerOf(who);
  return {
    received(bytes) {
      quotas.spend(payer, "requestsPerMinute");
      // Who has been sent too much gets nothing new before that is made up for.
      quotas.spend(payer, "bytesReadPerMinute", 0);
      quotas.spend(payer, "bytesWrittenPerMinute", bytes);
    },
    sent: (bytes) => quotas.owe(payer, "bytesReadPerMinute", bytes),
    maySend: () => quotas.available(payer, "bytesReadPerMinute"),
  };
}

/** For what is measured by nobody. */
export const UNMETERED: Pick<Meter, "sent" | "maySend"> = {
  sent: () => {},
  maySend: () => Promise.resolve(),
};
