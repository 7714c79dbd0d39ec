import type { Client } from "pg";
import { createConnector } from "../connect.ts";
import { codeOf } from "../failures.ts";
import { checkVersion } from "../migrate.ts";
import { DEFAULTS, parseAddress, type PostgresSettings } from "../settings.ts";
import { startFailure } from "../start-failure.ts";

/** Looks at a database over a connection of its own, beside the servers that may be running on it. */
export async function withAudit<Result>(
  settings: PostgresSettings,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const { timeoutMs = DEFAULTS.timeoutMs } = settings;
  const connector = await createConnector(parseAddress(settings), timeoutMs);
  const client = await connector.connect().catch((error: unknown) => {
    throw startFailure(connector.name, error, codeOf(error));
  });
  try {
    await checkVersion(client);
    return await work(client);
  } finally {
    await connector.release(client);
  }
}
