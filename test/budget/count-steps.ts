import type { CorePorts } from "../../src/core/index.ts";
import { Database } from "../../src/store/sqlite/database.ts";

/** What has been done so far. */
export interface Steps {
  /** SQL statements, those that begin and end transactions too. */
  statements: number;
  /** Those of them that are SELECTs. */
  reads: number;
  /** Commits that the engine gave to the store. */
  commits: number;
  /** Transactions that changed something, each of which waits for the disk once. */
  syncs: number;
  /** What one client was sent. */
  frames: number;
}

type Runs = "exec" | "run" | "write" | "get" | "all" | "iterate" | "pragma";
/** The methods of a connection that run the text that they are given; the others call these. */
const RUNS: Runs[] = ["exec", "run", "write", "get", "all", "iterate", "pragma"];
const OTHERS = ["constructor", "stopWaiting", "beginPatiently", "rollback", "close"];

/**
 * Counts what every connection of the store does, from now on until it is stopped. The product knows
 * nothing of it. Throws when there are methods that it does not know.
 */
export function createStepCounter() {
  const steps: Steps = { statements: 0, reads: 0, commits: 0, syncs: 0, frames: 0 };
  const texts = new Map<string, number>();
  let isChanged = false;
  const count = (text: string) => {
    const sql = text.replaceAll(/\s+/g, " ").trim();
    steps.statements++;
    texts.set(sql, (texts.get(sql) ?? 0) + 1);
    if (/^(SELECT|WITH)\b/i.test(sql)) steps.reads++;
    if (/^BEGIN\b/i.test(sql)) isChanged = false;
    if (/^COMMIT\b/i.test(sql) && isChanged) steps.syncs++;
  };
  const stop = wrapMethods((method, run, sql, values) => {
    for (const one of method === "exec" ? sql.split(";").filter((part) => part.trim()) : [sql]) {
      count(one);
    }
    const result = run(sql, ...values);
    if ((method === "run" || method === "write") && Number(result) > 0) isChanged = true;
    return result;
  });
  return {
    steps,
    /** Each text with how often it ran, the most frequent first. */
    texts: () => [...texts].toSorted(([, a], [, b]) => b - a),
    reset() {
      texts.clear();
      for (const name of Object.keys(steps) as (keyof Steps)[]) steps[name] = 0;
    },
    /** For `unstable_ports`. */
    withCommits: (ports: CorePorts): CorePorts => ({
      ...ports,
      store: {
        ...ports.store,
        commit(commit) {
          steps.commits++;
          return ports.store.commit(commit);
        },
      },
    }),
    stop,
  };
}

type Run = (sql: string, ...values: unknown[]) => unknown;

function wrapMethods(
  around: (method: Runs, run: Run, sql: string, values: unknown[]) => unknown,
): () => void {
  const known = new Set<string>([...RUNS, ...OTHERS]);
  const unknown = Object.getOwnPropertyNames(Database.prototype).filter((one) => !known.has(one));
  if (unknown.length > 0) {
    throw new Error(`Count what these methods of Database run: ${unknown.join(", ")}.`);
  }
  const prototype = Database.prototype as unknown as Record<Runs, Run>;
  const originals = RUNS.map((method) => [method, prototype[method]] as const);
  for (const [method, original] of originals) {
    prototype[method] = function counted(this: Database, sql, ...values) {
      return around(method, original.bind(this), sql, values);
    };
  }
  return () => {
    for (const [method, original] of originals) prototype[method] = original;
  };
}
