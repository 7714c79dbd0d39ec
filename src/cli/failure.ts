export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  denied: 3,
  notSignedIn: 4,
  cancelled: 5,
  pending: 8,
  nobody: 69,
  timedOut: 124,
  interrupted: 130,
} as const;

/** Ends a command with a sentence for the person who typed it. */
export class CommandFailure extends Error {
  override name = "CommandFailure";
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.failure, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
