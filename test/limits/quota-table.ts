import type { QuotaTable } from "../../src/core/index.ts";
import { QUOTAS } from "../../src/protocol/index.ts";

/** The real quotas, with lower ones in place of those that are tried. */
export function lowered(set: {
  [Name in keyof QuotaTable]?: Partial<QuotaTable[Name]>;
}): QuotaTable {
  const rows = Object.entries(QUOTAS).map(([name, row]) => [
    name,
    { ...row, ...set[name as keyof QuotaTable] },
  ]);
  return Object.fromEntries(rows) as QuotaTable;
}
