import { first } from "./001-first.ts";
import { fewerTrips } from "./002-fewer-trips.ts";

/** In order; number n takes a schema from version n - 1 to n. Add to the end, never change one. */
export const MIGRATIONS: readonly string[] = [first, fewerTrips];
