import { appendEvents } from "./append-events.ts";
import { commit } from "./commit.ts";
import { isFull } from "./is-full.ts";
import { isPresent } from "./is-present.ts";
import { lockRows } from "./lock-rows.ts";
import { look } from "./look.ts";
import { now } from "./now.ts";
import { putRows } from "./put-row.ts";
import { refuseCommit } from "./refuse-commit.ts";
import { summaries } from "./summaries.ts";

/** What the tables are used with; replaced whenever a program brings them to a new version. */
export const FUNCTIONS: readonly string[] = [
  now,
  lockRows,
  putRows,
  isFull,
  isPresent,
  refuseCommit,
  appendEvents,
  commit,
  summaries,
  look,
];
