// Installs the real agent runtimes that tests drive, unless what is there is what is wanted. They are
// large and nobody needs them to run Beckon, so they are no dependency of it.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../test/runtimes", import.meta.url));
const stamp = `${folder}/node_modules/.installed`;
const wanted = readFileSync(`${folder}/package-lock.json`, "utf8");

function installed() {
  try {
    return readFileSync(stamp, "utf8");
  } catch {
    return undefined;
  }
}

if (installed() !== wanted) {
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], {
    cwd: folder,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, wanted);
}
