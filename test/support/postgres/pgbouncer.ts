import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Where Debian's package puts it. */
const PROGRAM = "/usr/sbin/pgbouncer";

export const HAS_PGBOUNCER = existsSync(PROGRAM);

export interface PgBouncer {
  /** The address of a database, through it. */
  through(url: string): string;
  close(): Promise<void>;
}

/** As root it refuses to run: then it is nobody's. */
function nobody(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const line = readFileSync("/etc/passwd", "utf8").split("\n");
  const [, , uid, gid] = line.find((one) => one.startsWith("nobody:"))?.split(":") ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

/**
 * A real PgBouncer in transaction mode. It listens in a folder of its own, so that no port is taken.
 *
 * @param server the address of a database of the server that it stands before
 * @param connections how many it has to that server, for all who come
 */
export async function startPgBouncer(server: string, connections: number): Promise<PgBouncer> {
  const target = new URL(server);
  const folder = mkdtempSync(join(tmpdir(), "beckon-pgbouncer-"));
  const user = nobody();
  const users = join(folder, "users.txt");
  const [name, password] = [target.username, target.password].map(decodeURIComponent);
  writeFileSync(users, `"${name}" "${password}"\n`);
  const settings = join(folder, "pgbouncer.ini");
  writeFileSync(
    settings,
    [
      "[databases]",
      `* = host=${target.hostname} port=${target.port}`,
      "[pgbouncer]",
      "pool_mode = transaction",
      `default_pool_size = ${connections}`,
      "max_client_conn = 200",
      "listen_addr =",
      "listen_port = 6432",
      `unix_socket_dir = ${folder}`,
      "auth_type = plain",
      `auth_file = ${users}`,
    ].join("\n"),
  );
  if (user.uid !== undefined && user.gid !== undefined) {
    for (const path of [folder, users, settings]) chownSync(path, user.uid, user.gid);
  }
  const child = spawn(PROGRAM, [settings], { stdio: ["ignore", "ignore", "pipe"], ...user });
  await untilItListens(child);
  return {
    through(url) {
      const address = new URL(url);
      const host = encodeURIComponent(folder);
      return `postgres://${address.username}:${address.password}@localhost:6432${address.pathname}?host=${host}`;
    },
    async close() {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      rmSync(folder, { recursive: true });
    },
  };
}

function untilItListens(child: ChildProcess): Promise<void> {
  const said: string[] = [];
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: child.stderr! });
    lines.on("line", (line) => {
      said.push(line);
      if (line.includes("process up")) resolve();
    });
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`PgBouncer did not start: ${said.join("\n")}`)));
  });
}
