import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { openHeldLine } from "../../../../test/support/held-line.ts";

const MODULE = new URL("./run-command.ts", import.meta.url).href;

/** A process of its own that runs a command, as the server does, and prints the output. */
function startParent(command: string | string[], then = "") {
  const program = `
    import { runCommand } from ${JSON.stringify(MODULE)};
    await runCommand({
      command: ${JSON.stringify(command)},
      cwd: "/",
      env: { PATH: process.env.PATH },
      timeoutMs: 600_000,
      signal: new AbortController().signal,
      onOutput: (text) => process.stdout.write(text),
    });
    ${then}`;
  const args = ["--import", "tsx", "--input-type=module", "-e", program];
  return spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
}

function isGroupThere(leader: number): boolean {
  try {
    return process.kill(-leader, 0);
  } catch {
    return false;
  }
}

test.each([
  ["commands", (script: string) => script],
  ["programs", (script: string) => ["/bin/bash", "-c", script]],
])("a server that dies by SIGKILL takes its %s along", async (_what, toCommand) => {
  await using line = await openHeldLine();
  const parent = startParent(
    toCommand(`
      trap '' TERM HUP
      (${line.hold}; (sleep 1000; :); :) &
      timeout 1000 bash -c '${line.hold}; sleep 1000; :' &
      ${line.hold}
      echo $$
      sleep 1000
      sleep 1000`),
  );
  const [text] = (await once(parent.stdout, "data")) as [Buffer];
  const leader = Number(text.toString());
  const holders = [await line.holder(0), await line.holder(1), await line.holder(2)];
  expect(isGroupThere(leader)).toBe(true);
  expect(holders.some((holder) => holder.isGone())).toBe(false);

  parent.kill("SIGKILL");
  await Promise.all(holders.map(({ gone }) => gone));
  // The watchdog holds no line, and says good-bye to nobody once its server is gone.
  await expect.poll(() => isGroupThere(leader)).toBe(false);
});

test("a command that has ended keeps nothing open: the process can end by itself", async () => {
  const parent = startParent("echo done; sleep 1000 &", 'console.log("after");');
  let output = "";
  parent.stdout.on("data", (piece: Buffer) => (output += piece.toString()));
  const [code] = (await once(parent, "exit")) as [number | null];
  expect({ code, output }).toEqual({ code: 0, output: "done\nafter\n" });
});
