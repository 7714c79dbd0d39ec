import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { openHeldLine } from "../../../../test/support/held-line.ts";
import { type CommandOptions, runCommand } from "./run-command.ts";

/** Starts a command that can be aborted, and whose first output can be waited for. */
function start(command: string | string[], options: Partial<CommandOptions> = {}) {
  const controller = new AbortController();
  let show: (text: string) => void = () => {};
  const shown = new Promise<string>((resolve) => (show = resolve));
  const end = runCommand({
    command,
    cwd: tmpdir(),
    env: { PATH: process.env["PATH"] },
    timeoutMs: 60_000,
    signal: controller.signal,
    onOutput: show,
    ...options,
  });
  return { end, shown, abort: () => controller.abort(new Error("cancelled")) };
}

/** The watchdog of a command, by the number of its leader, which is its last argument. */
function watchdogOf(leader: string): number {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      if (line.endsWith(`\0beckon-watchdog\0${leader}\0`)) return Number(pid);
    } catch {
      // Gone in the meantime.
    }
  }
  throw new Error(`${leader} has no watchdog.`);
}

test("abort ends the command, its children and theirs", async () => {
  await using line = await openHeldLine();
  const { end, abort } = start(`(${line.hold}; (sleep 1000; :); :) & ${line.hold}; sleep 1000; :`);
  const holders = [await line.holder(0), await line.holder(1)];
  abort();
  await Promise.all(holders.map(({ gone }) => gone));
  const result = await end;
  expect(result).toMatchObject({ exitCode: null, signal: "SIGTERM" });
  expect(result).not.toHaveProperty("timedOut");
});

test("abort ends a program that no shell runs, and what it started", async () => {
  await using line = await openHeldLine();
  const script = `(${line.hold}; (sleep 1000; :); :) & ${line.hold}; sleep 1000; :`;
  const { end, abort } = start(["/bin/bash", "-c", script]);
  const holders = [await line.holder(0), await line.holder(1)];
  abort();
  await Promise.all(holders.map(({ gone }) => gone));
  expect(await end).toMatchObject({ exitCode: null, signal: "SIGTERM" });
});

test("abort right after the start leaves nothing running", async () => {
  const { end, abort } = start("sleep 1000");
  abort();
  await expect(end).rejects.toThrow("cancelled");
});

test("time that is up ends the command, and the result says so", async () => {
  await using line = await openHeldLine();
  const command = `echo begun; ${line.hold}; (sleep 1000; :); :`;
  const { end } = start(command, { timeoutMs: 1_000 });
  await (
    await line.holder(0)
  ).gone;
  expect(await end).toMatchObject({ signal: "SIGTERM", timedOut: true, output: "begun\n" });
});

test.runIf(process.platform === "linux").each([
  ["timeout", (child: string) => `timeout 1000 bash -c '${child}'; :`],
  ["job control", (child: string) => `set -m; (${child}) & wait`],
])("a child with a process group of its own, as of %s, is ended too", async (_name, toCommand) => {
  await using line = await openHeldLine();
  const child = `trap "echo asked to end; exit" TERM; sleep 1000 & ${line.hold}; wait`;
  const { end, abort } = start(toCommand(child), { limits: { killGraceMs: 60_000 } });
  const { gone } = await line.holder(0);
  abort();
  await gone;
  expect(await end).toMatchObject({
    signal: "SIGTERM",
    output: expect.stringContaining("asked to end\n"),
  });
});

test.runIf(process.platform === "linux").each(["HUP", "INT", "TERM", "USR1", "PIPE"])(
  "a command that sends SIG%s to its whole group keeps its watchdog",
  async (signal) => {
    const { end, shown, abort } = start(`trap : ${signal}; kill -${signal} 0; echo $$; sleep 1000`);
    expect(watchdogOf((await shown).trim())).toBeGreaterThan(0);
    abort();
    await end;
  },
);

test("a command that ignores SIGTERM is killed", async () => {
  await using line = await openHeldLine();
  const command = `trap '' TERM; ${line.hold}; while :; do sleep 1000; done`;
  const { end, abort } = start(command, { limits: { killGraceMs: 100 } });
  const { gone } = await line.holder(0);
  abort();
  await gone;
  // On a busy machine the first, gentle signal may come before it has stopped itself.
  expect(["SIGKILL", "SIGTERM"]).toContain((await end).signal);
});

test("who was asked to end may finish, also when bash itself is gone", async () => {
  const child = `trap "sleep 0.5; echo cleaned up; exit" TERM; sleep 1000 & echo ready; wait`;
  const { end, shown, abort } = start(`bash -c '${child}'; :`, { limits: { killGraceMs: 60_000 } });
  await shown;
  abort();
  expect(await end).toMatchObject({ signal: "SIGTERM", output: "ready\ncleaned up\n" });
});

test("a command may answer SIGTERM with an exit code of its own", async () => {
  const { end, shown, abort } = start("trap 'exit 7' TERM; sleep 1000 & echo ready; wait");
  await shown;
  abort();
  const result = await end;
  expect(result.exitCode).toBe(7);
  expect(result).not.toHaveProperty("signal");
});

test.each(["", "nohup ", "trap '' HUP TERM; "])(
  "what a command leaves in the background with %o is ended with it",
  async (prefix) => {
    await using line = await openHeldLine();
    const { end } = start(`${line.hold}; ${prefix}sleep 1000 & disown; echo done`);
    const { gone } = await line.holder(0);
    await gone;
    expect(await end).toMatchObject({ exitCode: 0, output: expect.stringMatching(/^done\n/) });
  },
);

test("what makes a session of its own gets away, and nobody waits for it", async () => {
  await using line = await openHeldLine();
  const daemon = `${line.hold}; echo $$; kill -USR1 $1; exec sleep 1000`;
  const { end } = start(`trap 'exit 5' USR1; setsid bash -c '${daemon}' daemon $$ & wait`);
  const holder = await line.holder(0);
  const { output, exitCode } = await end;
  expect(exitCode).toBe(5);
  expect(holder.isGone()).toBe(false);
  process.kill(Number(output));
  await holder.gone;
});

test("a command that stops itself and its watchdog is killed all the same", async () => {
  await using line = await openHeldLine();
  const limits = { killGraceMs: 50, watchdogMs: 50 };
  const { end, abort } = start(`${line.hold}; kill -STOP 0; :`, { limits });
  const { gone } = await line.holder(0);
  abort();
  await gone;
  expect((await end).signal).toBe("SIGKILL");
});

test.runIf(process.platform === "linux").each(["abort", "exit"])(
  "a command that lost its watchdog is ended on %s without it",
  async (how) => {
    await using line = await openHeldLine();
    const command = `${line.hold}; (sleep 1000; :) & echo $$; trap 'exit 7' USR1; wait`;
    const { end, shown, abort } = start(command);
    const { gone } = await line.holder(0);
    const leader = (await shown).trim();
    process.kill(watchdogOf(leader), "SIGKILL");
    if (how === "abort") abort();
    else process.kill(Number(leader), "SIGUSR1");
    await gone;
    // SIGTERM is lost when the news of the watchdog's death was still on its way.
    const ends = how === "abort" ? ["SIGTERM", "SIGKILL"] : [7];
    const { exitCode, signal } = await end;
    expect(ends).toContain(exitCode ?? signal);
  },
);
