import type { Reporter, TestCase } from "vitest/node";

/** More than these are no accident of a busy machine. */
const FORGIVEN = 3;

/**
 * Names the tests that passed only when they were tried again, and fails the run when they are many:
 * a second try is for the weather of a machine, not for a test that works now and then.
 */
export default class SecondTries implements Reporter {
  readonly #names: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (!test.diagnostic()?.flaky) return;
    const why = test.result().errors?.[0]?.message ?? "";
    this.#names.push(`${test.module.relativeModuleId}: ${test.fullName}\n  ${why}`);
  }

  onTestRunEnd(): void {
    if (this.#names.length === 0) return;
    console.error(`Passed only at a second try, and should be mended:\n${this.#names.join("\n")}`);
    if (this.#names.length > FORGIVEN) {
      console.error(`These are more than ${FORGIVEN}, so the run counts as failed.`);
      process.exitCode = 1;
    }
  }
}
