import { first } from "./001-first.ts";
import { recovery } from "./003-recovery.ts";

/** In order; number n takes a database from version n - 1 to n. Add to the end, never change one. */
export const MIGRATIONS: readonly string[] = [first, recovery];
