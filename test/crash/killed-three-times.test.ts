import { caseTests } from "./case-tests.ts";
import { casesOf } from "./matrix.ts";

// The other stories are killed three times by `npm run test:crash -- --matrix`.
caseTests("killed three times in a row at $point, $story keeps every promise", casesOf(3, "first"));
