import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { endOn } from "./end-group.ts";

/** Starts a script in a group of its own; it is ready when it has printed something. */
async function start(script: string): Promise<{ group: number; ended: Promise<unknown[]> }> {
  const child = spawn("/bin/sh", ["-c", `${script}; echo ready; while :; do sleep 0.05; done`], {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "exit");
  await once(child.stdout, "data");
  return { group: child.pid as number, ended };
}

test.each([
  [":", "SIGINT"],
  ["trap '' INT", "SIGTERM"],
  ["trap '' INT TERM", "SIGKILL"],
])("after %j it is ended by %s", async (script, by) => {
  const { group, ended } = await start(script);
  const letGo = endOn(AbortSignal.abort(), group, 300);
  expect(await ended).toEqual([null, by]);
  letGo();
});

test("a group that was let go is left alone", async () => {
  const { group, ended } = await start("trap 'exit 7' USR1");
  const abort = new AbortController();
  endOn(abort.signal, group)();
  abort.abort();
  process.kill(-group, "SIGUSR1");
  expect(await ended).toEqual([7, null]);
});
