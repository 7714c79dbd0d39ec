import { LIMITS } from "../protocol/index.ts";
import type { Who } from "./api.ts";
import type { Env } from "./env.ts";
import type { Page, PageQuery } from "./ports.ts";

/** A page of a list, bounded in rows and in bytes, when it is the caller's turn. */
export function readList<Row, Query extends PageQuery>(
  { reading }: Env,
  { principalId }: Who,
  query: Query,
  read: (query: Query) => Promise<Page<Row>>,
): Promise<Page<Row>> {
  return reading.read(principalId, async () => {
    const limit = Math.min(query.limit, LIMITS.listPageMax);
    const value = await read({ ...query, limit, maxBytes: LIMITS.listPageBytes });
    // Its rows are parsed and written again: a page that is full is as much as a turn may do.
    return { value, bytes: (value.rows.length / LIMITS.listPageMax) * LIMITS.listPageBytes };
  });
}
