import { expect, test } from "vitest";
import { startCli } from "./process.ts";

async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

async function run(script: string, { input = "", signal = new AbortController().signal } = {}) {
  const started = await startCli({
    command: "/bin/sh",
    args: ["-c", script],
    cwd: "/",
    env: { PATH: process.env["PATH"] },
    whenForsaken: "INT",
    signal,
  });
  started.input.end(input);
  return started;
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

test("what it printed is there for one who reads it only when it has ended", async () => {
  const started = await run("yes no | head -n 30000");
  expect(await started.ended).toMatchObject({ exitCode: 0 });
  expect(await collect(started.lines)).toHaveLength(30_000);
});

test("the signal interrupts the whole group, and what does not heed that is ended", async () => {
  const abort = new AbortController();
  const started = await run("sleep 1000 & trap '' INT; echo $$; sleep 1000; sleep 1000", {
    signal: abort.signal,
  });
  let group = 0;
  for await (const line of started.lines) {
    group = Number(line);
    abort.abort();
  }
  expect(await started.ended).toMatchObject({ signal: "SIGTERM" });
  const isThere = () => {
    try {
      return process.kill(-group, 0);
    } catch {
      return false;
    }
  };
  await expect.poll(isThere).toBe(false);
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

test("a program that cannot be started is named, with where", async () => {
  const { signal } = new AbortController();
  const started = startCli({
    command: "it",
    args: [],
    cwd: "/nowhere",
    env: {},
    whenForsaken: "INT",
    signal,
  });
  await expect(started).rejects.toThrow("it could not be started in /nowhere (Error: spawn");
});
