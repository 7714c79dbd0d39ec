// Builds the page, unless what is in dist/web is newer than everything that it is made from.
import { readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const at = (/** @type {string} */ path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const SOURCES = [
  "web",
  "src/protocol",
  "src/transport",
  "src/client",
  "src/react",
  "package-lock.json",
];

/** @param {string} path @returns {number} */
function newest(path) {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  const inside = readdirSync(path).map((name) => newest(`${path}/${name}`));
  return Math.max(mtimeMs, ...inside);
}

function builtAt() {
  return statSync(at("dist/web/index.html"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

if (process.argv.includes("--force") || builtAt() < Math.max(...SOURCES.map(at).map(newest))) {
  const { build } = await import("vite");
  await build({ root: at("web"), configFile: at("web/vite.config.ts"), logLevel: "warn" });
}
