/**
 * What a command may put into the log and onto the wire. A client is closed when 1 MiB waits for it,
 * and a byte of output can become six in JSON: even then the result and all of the live output fit
 * into that together, so a command that prints without end costs nobody their connection.
 */
export const COMMAND_LIMITS = {
  /** Bytes kept from the beginning of the output. */
  headBytes: 32 * 1024,
  /** Bytes kept from its end. */
  tailBytes: 32 * 1024,
  /** Bytes of output, as JSON, that are shown while the command runs. */
  liveBytes: 256 * 1024,
  /** Live output is shown at once when this many bytes have gathered, … */
  pieceBytes: 8 * 1024,
  /** … else after this time. */
  pieceMs: 50,
  /** From SIGTERM to SIGKILL. */
  killGraceMs: 2_000,
  /** How long the watchdog may take to end what is left, before it is done from here. */
  watchdogMs: 5_000,
  /** How long to read on when a process that got away still holds the output open. */
  drainMs: 100,
} as const;
export type CommandLimits = { readonly [Name in keyof typeof COMMAND_LIMITS]: number };
