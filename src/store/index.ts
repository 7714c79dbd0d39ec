export {
  DataDirectoryInUse,
  type DataDirectoryLock,
  holdDataDirectory,
  readHolder,
} from "./sqlite/lock.ts";
export { openSqliteStore } from "./sqlite/sqlite-store.ts";
