import { test } from "vitest";
import { keepsEveryPromise } from "./case-tests.ts";
import { byDepth } from "../support/depth.ts";
import { casesOf } from "./matrix.ts";

const stories = byDepth({ quick: "first", usual: "first", deep: undefined } as const);

test.each(casesOf(1, stories))("killed at $point, $story keeps every promise", keepsEveryPromise);
