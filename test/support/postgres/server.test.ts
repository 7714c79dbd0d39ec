import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const PROGRAM = fileURLToPath(new URL("run-server.mjs", import.meta.url));
const TESTS = `import { spawn } from "node:child_process";
  const child = spawn(process.execPath, [${JSON.stringify(PROGRAM)}], {
    stdio: ["pipe", "pipe", "ignore"], detached: true });
  child.stdout.pipe(process.stdout);`;

/** Whether somebody listens there. */
async function answers(url: URL): Promise<boolean> {
  const socket = connect(Number(url.port), url.hostname);
  const [event] = await Promise.race([
    once(socket, "connect").then(() => ["connect"]),
    once(socket, "error").then(
      () => ["error"],
      () => ["error"],
    ),
  ]).catch(() => ["error"]);
  socket.destroy();
  return event === "connect";
}

test("a PostgreSQL of the tests ends when their process is killed", async () => {
  const tests = spawn(process.execPath, ["--input-type=module", "--eval", TESTS]);
  const [line] = (await once(createInterface({ input: tests.stdout }), "line")) as [string];
  const url = new URL((JSON.parse(line) as { url: string }).url);
  expect(await answers(url)).toBe(true);
  tests.kill("SIGKILL");
  while (await answers(url));
  expect(await answers(url)).toBe(false);
});
