export type { Decision } from "./audit/decision.ts";
export { listDecisions } from "./sqlite/audit/list-decisions.ts";
export type { AuditProblem } from "./audit/problem.ts";
export { type AuditSummary, verifyAudit } from "./sqlite/audit/verify-audit.ts";
export {
  DataDirectoryInUse,
  type DataDirectoryLock,
  holdDataDirectory,
  readHolder,
} from "./sqlite/lock.ts";
export { openSqliteStore } from "./sqlite/sqlite-store.ts";
export { PostgresUnusable } from "./postgres/failures.ts";
export { exportHeads } from "./postgres/audit/export-heads.ts";
export { listPostgresDecisions } from "./postgres/audit/list-decisions.ts";
export { verifyPostgresAudit } from "./postgres/audit/verify-audit.ts";
export { postgresName } from "./postgres/name.ts";
export { type MovePlace, moveStore } from "./move/move-store.ts";
