import { caseTests } from "./case-tests.ts";
import { casesOf } from "./matrix.ts";

caseTests("killed at $point, $story keeps every promise", casesOf(1));
