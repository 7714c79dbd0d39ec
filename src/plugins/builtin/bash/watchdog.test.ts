import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { expect, test } from "vitest";
import { openHeldLine } from "../../../../test/support/held-line.ts";
import { LAUNCH, WATCHDOG } from "./watchdog.ts";

/** As on a system that does not say in /proc who is of a session. */
const WITHOUT_PROC = WATCHDOG.replaceAll("/proc/", "/does/not/exist/");

test("without /proc the group of the command is ended", async () => {
  await using line = await openHeldLine();
  const command = `trap 'echo asked to end' TERM; ${line.hold}; sleep 1000 & wait; wait; sleep 1000`;
  const child = spawn("bash", ["-c", LAUNCH, "bash", WITHOUT_PROC, command], {
    detached: true,
    stdio: ["ignore", "pipe", "inherit", "pipe"],
  });
  const { gone } = await line.holder(0);
  const watchdog = child.stdio[3] as Socket;
  watchdog.resume();
  watchdog.write("TERM\n");
  const [text] = (await once(child.stdout as Readable, "data")) as [Buffer];
  expect(text.toString()).toBe("asked to end\n");
  const ended = Promise.all([once(child, "exit"), once(watchdog, "close"), gone]);
  watchdog.end();
  const [[exitCode, signal]] = await ended;
  expect({ exitCode, signal }).toEqual({ exitCode: null, signal: "SIGKILL" });
});
