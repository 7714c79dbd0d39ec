import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { MAY_LACK } from "./support/depth.ts";
import { type Requirement, requirements } from "./requirements.ts";

const all: [string, Requirement][] = Object.entries(requirements);

/**
 * The ids that tests cite: the first argument of each `verifies(…)` and `shows(…)` outside a
 * comment. A method of that name is something else.
 */
function citedIn(source: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "");
  const calls = code.matchAll(/(?<![\w.])(?:verifies|shows)\(\s*(\[[^\]]*\]|"[^"]*")/g);
  return [...calls].flatMap(([, ids = ""]) =>
    [...ids.matchAll(/"([^"]+)"/g)].map(([, id = ""]) => id),
  );
}

/** The tests of a folder, those of other people's packages in it aside. */
function testsIn(folder: string): string[] {
  const path = fileURLToPath(new URL(`../${folder}/`, import.meta.url));
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.test\.tsx?$/.test(file) && !file.includes("node_modules"))
    .map((file) => join(path, file));
}

const cited = new Set(
  ["test", "src", "web"]
    .flatMap(testsIn)
    .filter((file) => file !== fileURLToPath(import.meta.url))
    .flatMap((file) => citedIn(readFileSync(file, "utf8"))),
);

describe("every requirement", () => {
  test("is shown by a test", () => {
    expect(all.map(([id]) => id).filter((id) => !cited.has(id))).toEqual([]);
  });

  test("that is cited exists", () => {
    expect([...cited].filter((id) => !(id in requirements))).toEqual([]);
  });

  test("quotes one line of its seed, and no two quote the same", () => {
    const quotes = all.map(([, { quote }]) => quote);
    expect(quotes.filter((quote) => quote.length > 160 || quote.includes("\n"))).toEqual([]);
    expect(quotes.filter((quote, index) => quotes.indexOf(quote) !== index)).toEqual([]);
  });
});

/** The folder of the design documents that the requirements come from, where it is at hand. */
const seeds = process.env["BECKON_SEEDS"];

test.skipIf(!seeds && MAY_LACK)("every quote stands in its seed", () => {
  if (!seeds) throw new Error("BECKON_SEEDS has to name the folder of the design documents.");
  const files = readdirSync(seeds);
  const linesOf = (seed: string) => {
    const name = files.find((file) => file.startsWith(seed));
    if (name === undefined) throw new Error(`There is no seed ${seed} in ${seeds}.`);
    return readFileSync(join(seeds, name), "utf8").split("\n");
  };
  const lines = {
    "000": linesOf("000"),
    "001": linesOf("001"),
    "002": linesOf("002"),
    "003": linesOf("003"),
    "004": linesOf("004"),
  };
  const missing = all.filter(
    ([, { seed, quote }]) => !lines[seed].some((line) => line.includes(quote)),
  );
  expect(missing.map(([id]) => id)).toEqual([]);
});

test("citations are read as they are written", () => {
  const source = `
    verifies("a:one", "says", {}, run);
    verifies(
      ["a:two", "a:three"],
      "says", {}, run);
    verifies([], "says", {}, run);
    // verifies("a:comment", "says", {}, run);
    /* verifies("a:block", "says", {}, run); */
    shows("a:four", "says", run);
    board.shows("a:method", says);
    expect("a:other").toBe("a:other");
  `;
  expect(citedIn(source)).toEqual(["a:one", "a:two", "a:three", "a:four"]);
});
