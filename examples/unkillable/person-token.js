import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const BIN = fileURLToPath(new URL("../../bin/beckon.js", import.meta.url));

/**
 * A person's token with a name, so that the log says in which window was answered.
 *
 * @param {string} data
 * @param {string} name
 * @param {Record<string, string>} [env] beside that of this process
 */
export async function createPersonToken(data, name, env = {}) {
  const flags = ["--kind", "person", "--name", name, "--data", data];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [BIN, "token", "create", ...flags],
    { env: { ...process.env, ...env } },
  );
  return String(stdout.trim().split("\n").at(-1));
}
