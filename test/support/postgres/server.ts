import { type ChildProcess, spawn } from "node:child_process";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("run-server.mjs", import.meta.url));

export interface PostgresOptions {
  /** Whether it syncs to the disk as in real use; tests need not. */
  durable?: boolean;
  /** A folder with `server.crt` and `server.key`: it takes encrypted connections, too. */
  certificate?: string;
  /** One that is stopped, and whose copy this is: it follows that one once it is started again. */
  replicaOf?: Pick<PostgresServer, "url" | "directory">;
}

/** A real PostgreSQL. It ends with the process that started it, killed or not. */
export interface PostgresServer {
  /** Of the superuser, without a database: `${url}/NAME`. */
  url: string;
  /** Where it keeps everything. */
  directory: string;
  /** As the system's service manager does: connections are cut, what is committed stays. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(options)], {
    stdio: ["pipe", "pipe", "ignore"],
    // What is sent to the group of the tests (Ctrl-C) leaves it to end in order.
    detached: true,
  });
  const lines = createInterface({ input: child.stdout });
  const next = lineReader(child, lines);
  const { url, directory, failed } = (await next()) as Record<"url" | "directory", string> & {
    failed?: string;
  };
  if (failed !== undefined) throw new Error(failed);
  // From now on it keeps nobody from ending.
  for (const part of [child, child.stdin, child.stdout] as { unref?(): void }[]) part.unref?.();
  const command = async (name: string): Promise<void> => {
    child.stdin.write(`${name}\n`);
    await next();
  };
  return {
    url,
    directory,
    stop: () => command("stop"),
    start: () => command("start"),
    async close() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.stdin.end();
      await ended;
    },
  };
}

function lineReader(child: ChildProcess, lines: Interface): () => Promise<unknown> {
  return () =>
    new Promise((resolve, reject) => {
      const failed = () => reject(new Error("The PostgreSQL of the tests ended early."));
      child.once("exit", failed);
      lines.once("line", (line) => {
        child.off("exit", failed);
        resolve(JSON.parse(line));
      });
    });
}
