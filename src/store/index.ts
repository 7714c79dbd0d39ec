export { type Decision, listDecisions } from "./sqlite/audit/list-decisions.ts";
export type { AuditProblem } from "./sqlite/audit/problem.ts";
export { type AuditSummary, verifyAudit } from "./sqlite/audit/verify-audit.ts";
export {
  DataDirectoryInUse,
  type DataDirectoryLock,
  holdDataDirectory,
  readHolder,
} from "./sqlite/lock.ts";
export { openSqliteStore } from "./sqlite/sqlite-store.ts";
