import { expect } from "vitest";
import type { Commit, RowId, Store, Table, Tables, Write } from "../../core/ports.ts";

/** Inserts a whole row. */
export function insert<T extends Table>(table: T, row: Tables[T]): Write {
  return { table, id: idOf(table, row), ifVersion: 0, set: row } as unknown as Write;
}

export function update<T extends Table>(
  table: T,
  id: RowId,
  ifVersion: number,
  set: Partial<Tables[T]>,
): Write {
  return { table, id, ifVersion, set } as unknown as Write;
}

function idOf<T extends Table>(table: T, row: Tables[T]): RowId {
  const parts = row as unknown as Record<string, string>;
  const [first, second] =
    {
      tool_calls: [parts["sessionId"], parts["id"]],
      journal: [parts["scopeId"], parts["key"]],
      presence: [parts["nodeId"], parts["principalId"]],
      responses: [parts["interactionId"], parts["id"]],
    }[table as string] ?? [];
  return first !== undefined && second !== undefined ? [first, second] : parts["id"]!;
}

/** Commits what must succeed; gives the session's last `seq`. */
export async function commit(store: Store, part: Partial<Commit>): Promise<number> {
  const result = await store.commit({ writes: [], events: [], ...part });
  if (!result.ok) expect.fail(`The commit was refused: ${JSON.stringify(result)}`);
  return result.lastSeq;
}

export async function write(store: Store, ...writes: Write[]): Promise<void> {
  await commit(store, { writes });
}
