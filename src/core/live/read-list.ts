import { LIMITS } from "../../protocol/index.ts";
import type { Page, PageQuery, Who } from "../ports.ts";
import type { ReadingTurns } from "./reading-turns.ts";

export interface ListPorts {
  reading: ReadingTurns;
}

/** A page of a list, bounded in rows and in bytes, when it is the caller's turn. */
export function readList<Row, Query extends PageQuery>(
  { reading }: ListPorts,
  { principalId }: Pick<Who, "principalId">,
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
