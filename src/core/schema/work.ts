/** How much work a check may still do. Steps are counted, not time: a busy machine changes nothing. */
export interface Work {
  stepsLeft: number;
}

/** A check that would take more steps than it may. */
export class TooMuchWork extends Error {}

export function spend(work: Work, steps: number): void {
  work.stepsLeft -= steps;
  if (work.stepsLeft < 0) throw new TooMuchWork("It takes too many steps to check this.");
}
