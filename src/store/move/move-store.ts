import { hostname } from "node:os";
import type { PostgresSettings } from "../postgres/settings.ts";
import type { AuditProblem } from "../audit/problem.ts";
import type { Role } from "./contents.ts";
import { openPostgresSide } from "./postgres-side.ts";
import { RAW_TABLES, type RawRow, type RawTable } from "./raw-tables.ts";
import { MoveRefused, type Side, type Verified } from "./side.ts";
import { openSqliteSide } from "./sqlite-side.ts";

export type MovePlace = { directory: string } | PostgresSettings;

export interface Moved extends Verified {
  rows: number;
  /** It had been moved before, and nothing was left to do. */
  wasThere: boolean;
}

/**
 * Copies everything from one store into another, empty one, and verifies the copy's audit before
 * anybody can see it. The copy appears whole or not at all, so a move that was killed is made
 * again. What is moved stays where it was, too. Throws `MoveRefused`.
 */
export async function moveStore(
  { from, to }: Record<Role, MovePlace>,
  { progress = () => {} }: { progress?: (table: string, rows: number) => void } = {},
): Promise<Moved> {
  const source = await open(from, "from");
  try {
    const target = await open(to, "to");
    try {
      return await move(source, target, progress);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function open(place: MovePlace, role: Role): Promise<Side> {
  return "directory" in place ? openSqliteSide(place.directory, role) : openPostgresSide(place);
}

async function move(
  source: Side,
  target: Side,
  progress: (table: string, rows: number) => void,
): Promise<Moved> {
  const [wanted, there] = [await source.contents(), await target.contents()];
  const wasThere = wanted.digest === there.digest && !there.isEmpty;
  if (!there.isEmpty && !wasThere) {
    throw new MoveRefused(
      `${target.name} has other data in it. Move into an empty store: what is in two cannot be made one.`,
    );
  }
  if (wanted.isEmpty) throw new MoveRefused(`There is nothing in ${source.name} to move.`);
  const rows = wasThere ? 0 : await copy(source, target, progress);
  if ((await target.contents()).digest !== wanted.digest) {
    throw new MoveRefused(
      `The copy in ${target.name} is not what ${source.name} has. Nothing was kept.`,
    );
  }
  const summary = await verify(target);
  await target.keep();
  return { sessions: summary.sessions, events: summary.events, rows, wasThere };
}

async function copy(
  source: Side,
  target: Side,
  progress: (table: string, rows: number) => void,
): Promise<number> {
  let total = 0;
  for (const table of RAW_TABLES) {
    let count = 0;
    for await (const rows of source.read(table)) {
      await target.write(
        table,
        rows.map((row) => placed(table, row)),
      );
      count += rows.length;
    }
    progress(table.name, count);
    total += count;
  }
  return total;
}

/**
 * A folder without a host was on this one: only where it is may its session go on. Who had a lease
 * has none any more, whatever clock it was measured with.
 */
function placed({ name }: RawTable, row: RawRow): RawRow {
  if (name === "runs" && row["lease_until"] !== null) return { ...row, lease_until: 0 };
  if (name !== "sessions" || row["cwd"] === null || row["host"] !== null) return row;
  return { ...row, host: hostname() };
}

async function verify(target: Side): Promise<Verified> {
  const problems: AuditProblem[] = [];
  const summary = await target.verify((problem) => problems.push(problem));
  const [first] = problems;
  if (first === undefined) return summary;
  throw new MoveRefused(
    `The audit of what was copied is not whole: ${first.message} (session ${first.sessionId ?? "-"}). ` +
      "Nothing was kept. What is wrong with the source: beckon audit verify",
  );
}
