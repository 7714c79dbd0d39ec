import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { findCommand, linesOf, startCli } from "./cli-process.ts";

async function* pieces(...texts: (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

test("lines are whole however they come, and the last needs no end", async () => {
  const euro = Buffer.from("€");
  const given = pieces("a\nb", "b\n\n", euro.subarray(0, 1), euro.subarray(1), "\nlast");
  expect(await collect(linesOf(given))).toEqual(["a", "bb", "", "€", "last"]);
});

test("a line that is too long is left out, and those around it are there", async () => {
  const long = "x".repeat(30);
  expect(await collect(linesOf(pieces("a\n", long, long, "\nb\n", `${long}\nc`), 20))).toEqual([
    "a",
    "b",
    "c",
  ]);
});

function run(script: string, options: { input?: string; signal?: AbortSignal } = {}) {
  return startCli({
    command: "/bin/sh",
    args: ["-c", script],
    cwd: "/",
    env: { PATH: process.env["PATH"] },
    input: options.input ?? "",
    signal: options.signal ?? new AbortController().signal,
  });
}

test("it reads its input, and how it ended is told with the end of what it complained of", async () => {
  const started = await run(
    "cat; echo first >&2; yes no | head -c 9000 >&2; echo last >&2; exit 4",
    {
      input: "-n hello\n",
    },
  );
  expect(await collect(started.lines)).toEqual(["-n hello"]);
  const end = await started.ended;
  expect(end).toMatchObject({ exitCode: 4, signal: null });
  expect(end.errors).toMatch(/no\nlast$/);
  expect(end.errors).not.toContain("first");
});

test("a program that does not read what it is given is no error", async () => {
  const started = await run("exec <&-; echo done", { input: "x".repeat(1_000_000) });
  expect(await collect(started.lines)).toEqual(["done"]);
  expect(await started.ended).toMatchObject({ exitCode: 0 });
});

test("the signal interrupts the whole group, and kills what does not heed it", async () => {
  const abort = new AbortController();
  const started = await run("sleep 1000 & trap '' INT; echo $$; sleep 1000; sleep 1000", {
    signal: abort.signal,
  });
  let group = 0;
  for await (const line of started.lines) {
    group = Number(line);
    abort.abort();
  }
  expect(await started.ended).toMatchObject({ signal: "SIGKILL" });
  const isThere = () => {
    try {
      return process.kill(-group, 0);
    } catch {
      return false;
    }
  };
  await expect.poll(isThere, { timeout: 10_000 }).toBe(false);
});

test("what a program leaves behind ends with it", async () => {
  const started = await run("sleep 1000 & echo done");
  expect(await collect(started.lines)).toEqual(["done"]);
  expect(await started.ended).toMatchObject({ exitCode: 0 });
});

test("a process that got away does not keep the one who waits", async () => {
  const leave = "setsid sh -c 'echo $$; kill -USR1 $PPID; exec sleep 1000' &";
  const started = await run(`trap : USR1; ${leave} wait; exit 0`);
  const [stray] = await collect(started.lines);
  process.kill(Number(stray), "SIGKILL");
  expect(await started.ended).toMatchObject({ exitCode: 0 });
});

test("a command is found by its name on the PATH, or by its path, and only if it can be run", async () => {
  const folder = mkdtempSync(join(tmpdir(), "beckon-find-"));
  try {
    for (const name of ["runs", "rests"]) writeFileSync(join(folder, name), "#!/bin/sh\n");
    chmodSync(join(folder, "runs"), 0o700);
    chmodSync(join(folder, "rests"), 0o600);
    const path = `/nowhere:${folder}`;
    expect(await findCommand("runs", path)).toBe(join(folder, "runs"));
    expect(await findCommand(join(folder, "runs"), undefined)).toBe(join(folder, "runs"));
    expect(await findCommand(relative(process.cwd(), join(folder, "runs")), "")).toBe(
      join(folder, "runs"),
    );
    for (const command of ["missing", "./runs"]) {
      expect(await findCommand(command, path)).toBeUndefined();
    }
    expect(await findCommand("runs", undefined)).toBeUndefined();
    expect(await findCommand("rests", path)).toBeUndefined();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
