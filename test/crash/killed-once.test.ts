import { test } from "vitest";
import { keepsEveryPromise } from "./case-tests.ts";
import { casesOf } from "./matrix.ts";

test.each(casesOf(1))("killed at $point, $story keeps every promise", keepsEveryPromise);
