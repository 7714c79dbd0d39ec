import { first } from "./001-first.ts";

/** In order; number n takes a schema from version n - 1 to n. Add to the end, never change one. */
export const MIGRATIONS: readonly string[] = [first];
