import { test } from "vitest";
import { keepsEveryPromise } from "./case-tests.ts";
import { casesOf } from "./matrix.ts";

// The other stories are killed three times by `npm run test:crash -- --matrix`.
test.each(casesOf(3, "first"))(
  "killed three times in a row at $point, $story keeps every promise",
  keepsEveryPromise,
);
