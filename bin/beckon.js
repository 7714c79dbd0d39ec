#!/usr/bin/env node
import { readdirSync, statSync } from "node:fs";

const built = new URL("../dist/", import.meta.url);
const changedAt = (path) => statSync(new URL(path, built), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Where the compiler has been since the bundle was made, what it made is run. */
function isBehind(bundle) {
  const parts = readdirSync(built, { withFileTypes: true }).filter((one) => one.isDirectory());
  const compiled = parts.map(({ name }) => changedAt(`${name}/.tsbuildinfo`));
  return Math.max(changedAt(".tsbuildinfo"), ...compiled) >= changedAt(bundle);
}

if (changedAt("cli/main.js") > 0) {
  await import(new URL(isBehind("bundle/main.js") ? "cli/main.js" : "bundle/main.js", built).href);
} else {
  console.error("Beckon is not built yet. Run: npm run build");
  process.exitCode = 1;
}
