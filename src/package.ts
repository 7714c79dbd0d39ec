import { readFileSync } from "node:fs";
import { sep } from "node:path";
import { fileURLToPath } from "node:url";

/** Where package.json stands: one folder up both from the sources and from the build. */
const PACKAGE = new URL("..", import.meta.url);

export function packageVersion(): string {
  const text = readFileSync(new URL("package.json", PACKAGE), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

/** How another package depends on this one: by its version where it was installed, else by its folder. */
export function packageSpec(): string {
  const folder = fileURLToPath(PACKAGE);
  const installed = folder.split(sep).includes("node_modules");
  return installed ? `^${packageVersion()}` : `file:${folder}`;
}
