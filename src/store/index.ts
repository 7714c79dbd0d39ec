export {
  DataDirectoryInUse,
  type DataDirectoryLock,
  holdDataDirectory,
  type Holder,
  readHolder,
} from "./sqlite/lock.ts";
export { openSqliteStore } from "./sqlite/sqlite-store.ts";
