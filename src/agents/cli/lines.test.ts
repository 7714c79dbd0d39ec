import { expect, test } from "vitest";
import { linesOf } from "./lines.ts";

async function* pieces(...texts: (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

test("lines are whole however they come, and the last needs no end", async () => {
  const euro = Buffer.from("€");
  const given = pieces("a\nb", "b\n\n", euro.subarray(0, 1), euro.subarray(1), "\nlast");
  expect(await collect(linesOf(given))).toEqual(["a", "bb", "", "€", "last"]);
});

test("a line that is too long is left out, and those around it are there", async () => {
  const long = "x".repeat(30);
  expect(await collect(linesOf(pieces("a\n", long, long, "\nb\n", `${long}\nc`), 20))).toEqual([
    "a",
    "b",
    "c",
  ]);
});
