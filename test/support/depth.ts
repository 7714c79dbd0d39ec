/** `npm run check` is quick, `npm run test:deep` is deep, and everything else lies between. */
export type Depth = "quick" | "usual" | "deep";

const given = process.env["BECKON_DEPTH"] ?? "usual";

/** What holds for this run, of a value for each depth. */
export function byDepth<Value>(values: Record<Depth, Value>): Value {
  if (Object.hasOwn(values, given)) return values[given as Depth];
  throw new Error(`BECKON_DEPTH is quick, usual or deep, not "${given}".`);
}

/** Whether a test of what not every machine has may be left out where it is missing. */
export const MAY_LACK = byDepth({ quick: true, usual: true, deep: false });
