import type { Database } from "../database.ts";

const PROBE_BYTES = 16 * 1024;

/** Takes pages and gives them back, so that a full disk is noticed and not only a locked one. */
export function probe(database: Database): void {
  database.run("INSERT INTO health_probes (filler) VALUES (zeroblob(?))", PROBE_BYTES);
  database.run("DELETE FROM health_probes");
}
