import { describe, expect, test } from "vitest";
import {
  type CallActivity,
  hasArrived,
  mayForget,
  type Piece,
  restOf,
  type RunActivity,
} from "./quiet.ts";

/*
 * Every combination of a small state space: runs of no call, of one call and of two, in which each
 * thing that can go on goes on or does not. A promise holds in all of them.
 */

const COUNTS = [0, 1];
const FLAGS = [false, true];
const PIECES: Piece[] = FLAGS.flatMap((isNew) => FLAGS.map((isSilent) => ({ isNew, isSilent })));
const PIECE_SETS = [[], ...PIECES.map((piece) => [piece]), PIECES.slice(0, 2), PIECES.slice(1, 4)];

const CALLS: CallActivity[] = COUNTS.flatMap((waiting) =>
  COUNTS.flatMap((running) =>
    COUNTS.flatMap((handling) =>
      COUNTS.flatMap((ahead) =>
        PIECE_SETS.map((pieces) => ({
          waiting,
          running,
          handling,
          ahead: new Set(ahead === 0 ? [] : ["prompt"]),
          pieces: new Set(pieces),
        })),
      ),
    ),
  ),
);

function* everyRun(): Generator<RunActivity> {
  const pairs = CALLS.flatMap((one) => CALLS.map((other) => [one, other]));
  for (const calls of [[], ...CALLS.map((call) => [call]), ...pairs]) {
    for (const status of ["queued", "live", "suspended", "ended"] as const) {
      for (const bits of Array.from({ length: 64 }).keys()) {
        yield {
          status,
          hasLease: (bits & 1) > 0,
          canReenter: (bits & 2) > 0,
          starting: bits & 4 ? 1 : 0,
          looking: bits & 8 ? 1 : 0,
          committing: bits & 16 ? 1 : 0,
          deferred: bits & 32 ? 1 : 0,
          calls,
        };
      }
    }
  }
}

/** The first run of all that a promise does not hold for. */
function exception(holds: (run: RunActivity) => boolean): RunActivity | undefined {
  for (const run of everyRun()) if (!holds(run)) return run;
  return undefined;
}

const rests = (run: RunActivity) => restOf(run) !== "none";
const piecesOf = ({ calls }: RunActivity) => calls.flatMap(({ pieces }) => [...pieces]);
const everyCallWaits = ({ calls }: RunActivity) => calls.every(({ waiting }) => waiting > 0);
const nothingIsDone = ({ starting, looking, deferred, calls }: RunActivity) =>
  starting + looking + deferred === 0 &&
  calls.every(({ running, handling, ahead }) => running + handling + ahead.size === 0);
const isSilent = (run: RunActivity) => piecesOf(run).every((piece) => piece.isSilent);
const hasNewPiece = (run: RunActivity) => piecesOf(run).some((piece) => piece.isNew);

describe("a run suspends", () => {
  test("only while each of its calls waits for people, and it has one", () => {
    expect(exception((run) => !rests(run) || (run.calls.length > 0 && everyCallWaits(run)))).toBe(
      undefined,
    );
  });

  test("only while no hook, step or prompt of it is being worked on, and none is about to start or to be stored", () => {
    expect(exception((run) => !rests(run) || nothingIsDone(run))).toBe(undefined);
  });

  test("only while no piece of a handler has just gone on", () => {
    expect(exception((run) => !rests(run) || isSilent(run))).toBe(undefined);
  });

  test("only if it can be entered again", () => {
    expect(exception((run) => !rests(run) || run.canReenter)).toBe(undefined);
  });

  test("if it is live; one that is suspended only gives up the lease that it kept", () => {
    const isKept = ({ status, hasLease }: RunActivity) => status === "suspended" && hasLease;
    expect(
      exception((run) => {
        if (run.status === "live" || !rests(run)) return true;
        return isKept(run) && restOf(run) === "free";
      }),
    ).toBe(undefined);
  });

  test("with its lease exactly while a piece of a handler may be at work on something new", () => {
    expect(exception((run) => !rests(run) || (restOf(run) === "leased") === hasNewPiece(run))).toBe(
      undefined,
    );
  });

  test("whenever nothing of this speaks against it", () => {
    const nothingAgainst = (run: RunActivity) =>
      run.canReenter &&
      run.calls.length > 0 &&
      everyCallWaits(run) &&
      nothingIsDone(run) &&
      isSilent(run) &&
      (run.status === "live" || (run.status === "suspended" && run.hasLease && !hasNewPiece(run)));
    expect(exception((run) => rests(run) === nothingAgainst(run))).toBe(undefined);
  });

  test("whether or not it is writing: the commit that suspends it is one of its own", () => {
    expect(exception((run) => restOf(run) === restOf({ ...run, committing: 0 }))).toBe(undefined);
  });
});

describe("what the process holds of a run", () => {
  test("is forgotten only when the run is stored as suspended and nothing of it is on its way", () => {
    const mayGo = (run: RunActivity) =>
      run.status === "suspended" &&
      run.committing === 0 &&
      run.calls.length > 0 &&
      everyCallWaits(run) &&
      nothingIsDone(run) &&
      isSilent(run);
    expect(exception((run) => mayForget(run) === mayGo(run))).toBe(undefined);
  });
});

test("a live run has arrived when every call waits for people and no hook or step runs", () => {
  const isThere = (run: RunActivity) =>
    run.status === "live" &&
    run.calls.length > 0 &&
    run.calls.every(({ waiting, running }) => waiting > 0 && running === 0);
  expect(exception((run) => hasArrived(run) === isThere(run))).toBe(undefined);
});
