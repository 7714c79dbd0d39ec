import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Everything that the product is made of, without its tests. */
export function sourceFiles(): { path: string; text: string }[] {
  return ["src", "web", "plugins"]
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { encoding: "utf8", recursive: true }).map((path) =>
        join(folder, path),
      ),
    )
    .filter((path) => /\.(ts|tsx|js)$/.test(path))
    .filter((path) => !/\.test(-d)?\.tsx?$|^src.testing/.test(path))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));
}
