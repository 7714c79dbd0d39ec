import { storeContract } from "../../testing/store-contract.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/support/postgres/database.ts";
import { verifyPostgresAudit } from "./audit/verify-audit.ts";

let database: TestDatabase | undefined;

storeContract("postgres", async () => {
  database ??= await createTestDatabase();
  const { url } = database;
  await database.empty();
  const { store, clock } = await database.open();
  const reopen = async () => {
    await store.close();
    return (await database!.open(clock)).store;
  };
  const verify = async () => {
    const problems: string[] = [];
    const { events } = await verifyPostgresAudit({ url }, ({ message }) => problems.push(message));
    return { events, problems };
  };
  return { store, clock, reopen, verify };
});
