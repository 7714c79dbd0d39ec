import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createFakeClock } from "../../testing/index.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import { DataDirectoryInUse, holdDataDirectory, readHolder } from "./lock.ts";

const URL_OF_CHILD = "http://127.0.0.1:4242";

describe("a data directory", () => {
  let parent: string;
  let directory: string;
  let child: ChildProcess | undefined;
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), "beckon-lock-"));
    directory = join(parent, "data");
  });
  afterEach(async () => {
    if (child) await kill(child);
    child = undefined;
    rmSync(parent, { recursive: true });
  });

  /** Another process that holds the directory until it is killed. */
  async function holdInChild(): Promise<ChildProcess> {
    const script = `
      import { holdDataDirectory } from ${JSON.stringify(new URL("lock.ts", import.meta.url).href)};
      holdDataDirectory(${JSON.stringify(directory)}).describe({ url: "${URL_OF_CHILD}" });
      process.stdout.write("held");
      setInterval(() => {}, 60_000);`;
    return run(script);
  }

  async function run(script: string): Promise<ChildProcess> {
    child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout!, "data");
    return child;
  }

  test("is made for its owner alone", () => {
    const lock = holdDataDirectory(directory);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(join(directory, "server.json")).mode & 0o777).toBe(0o600);
    lock.release();
  });

  test("says who holds it", () => {
    const lock = holdDataDirectory(directory);
    lock.describe({ url: "http://127.0.0.1:1", port: 1 });
    const info: unknown = JSON.parse(readFileSync(join(directory, "server.json"), "utf8"));
    expect(info).toMatchObject({ pid: process.pid, url: "http://127.0.0.1:1", port: 1 });
    expect(readHolder(directory)).toEqual(info);
    lock.release();
    lock.release();
    expect(existsSync(join(directory, "server.json"))).toBe(false);
    expect(readHolder(directory)).toBeNull();
  });

  test("that nobody has ever held has no holder, and looking makes none", () => {
    expect(readHolder(directory)).toBeNull();
    expect(existsSync(directory)).toBe(false);
  });

  test("held by another process is refused, naming it", async () => {
    const { pid } = await holdInChild();
    expect(readHolder(directory)).toMatchObject({ pid, url: URL_OF_CHILD });
    const sentence = `in use by process ${pid} at ${URL_OF_CHILD}`;
    expect(() => holdDataDirectory(directory)).toThrow(DataDirectoryInUse);
    expect(() => holdDataDirectory(directory)).toThrow(sentence);
    expect(readHolder(directory)).toMatchObject({ pid });
  });

  test("is free again however its holder died, whatever it left written", async () => {
    await kill(await holdInChild());
    expect(existsSync(join(directory, "server.json"))).toBe(true);
    expect(readHolder(directory)).toBeNull();
    const lock = holdDataDirectory(directory);
    expect(readHolder(directory)).toMatchObject({ pid: process.pid });
    lock.release();
  });

  test("is not lost to those who look while it is held", () => {
    const lock = holdDataDirectory(directory);
    for (const _look of [1, 2, 3]) expect(readHolder(directory)).not.toBeNull();
    expect(() => holdDataDirectory(directory)).toThrow(DataDirectoryInUse);
    expect(readHolder(directory)).toMatchObject({ pid: process.pid });
    lock.release();
  });

  test("whose holder has not said who it is is still refused", () => {
    const lock = holdDataDirectory(directory);
    writeFileSync(join(directory, "server.json"), "{ half");
    expect(() => holdDataDirectory(directory)).toThrow(/in use by another process/);
    lock.release();
  });

  test("whose lock is no lock says which file to delete", () => {
    holdDataDirectory(directory).release();
    writeFileSync(join(directory, "server.lock"), "garbage ".repeat(100));
    expect(() => holdDataDirectory(directory)).toThrow(
      /^The lock of the data directory, .*server\.lock, is not one of Beckon's\. .* delete that file/,
    );
    expect(readHolder(directory)).toBeNull();
    rmSync(join(directory, "server.lock"));
    holdDataDirectory(directory).release();
  });

  test.runIf(existsSync("/dev/full"))("on a full disk says so, and is free again", () => {
    mkdirSync(directory);
    symlinkSync("/dev/full", join(directory, `server.json.${process.pid}`));
    expect(() => holdDataDirectory(directory)).toThrow(
      /^Beckon cannot start on .*data: the disk is full\. Free some space, and start again\./,
    );
    rmSync(join(directory, `server.json.${process.pid}`));
    holdDataDirectory(directory).release();
  });

  test("whose lock was deleted under a server is still that server's", async () => {
    const path = join(directory, "beckon.db");
    const script = `
      import { holdDataDirectory, openSqliteStore } from ${JSON.stringify(new URL("../index.ts", import.meta.url).href)};
      holdDataDirectory(${JSON.stringify(directory)});
      const clock = { now: () => Date.now(), timer: () => () => {} };
      globalThis.store = openSqliteStore({ path: ${JSON.stringify(path)}, clock, exclusive: true });
      process.stdout.write("held");
      setInterval(() => {}, 60_000);`;
    await run(script);
    rmSync(join(directory, "server.lock"));
    expect(() => holdDataDirectory(directory)).toThrow(DataDirectoryInUse);
    await kill(child as ChildProcess);
    const lock = holdDataDirectory(directory);
    await openSqliteStore({ path, clock: createFakeClock(), exclusive: true }).close();
    lock.release();
  });
});

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}
