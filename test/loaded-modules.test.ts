import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { sourceFiles } from "./support/source-files.ts";

/* What a start waits for: modules and not milliseconds, which a busy machine has too few of. */

const texts = new Map(sourceFiles().map(({ path, text }) => [path, text]));

/** All that is loaded before the first line of a file runs: its own imports and theirs, no `import()`. */
function loadedBy(path: string, loaded = new Set<string>()): Set<string> {
  loaded.add(path);
  const statement = /^(?:import|export)\s(?!type\b)(?:[^;"]*?\sfrom\s)?"([^"]+)";/gms;
  for (const [, name = ""] of (texts.get(path) ?? "").matchAll(statement)) {
    const found = name.startsWith(".") ? join(dirname(path), name) : name;
    if (name.startsWith(".")) expect(existsSync(found), found).toBe(true);
    if (!loaded.has(found)) loadedBy(found, loaded);
  }
  return loaded;
}

test("the version is printed without the commands, their options or any schema", () => {
  const loaded = [...loadedBy("src/cli/main.ts")].filter((name) => !name.startsWith("node:"));
  expect(loaded.toSorted()).toEqual([
    "src/cli/failure.ts",
    "src/cli/main.ts",
    "src/cli/pipe-reader.ts",
    "src/cli/program.ts",
    "src/package.ts",
  ]);
});

test("a server listens before the libraries of its entrances and its log are loaded", () => {
  const loaded = loadedBy("src/cli/serve.ts");
  expect([...loaded]).toContain("src/server/listen.ts");
  for (const name of ["hono", "@hono/node-server", "ws", "pino", "@modelcontextprotocol/server"]) {
    expect([...loaded]).not.toContain(name);
  }
});

test("what speaks MCP is loaded when somebody does", () => {
  expect([...loadedBy("src/server/entrances.ts")]).not.toContain("@modelcontextprotocol/server");
});
