import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { codeIn, readHere } from "../support/guide-folder.ts";

const DEMO = fileURLToPath(new URL("../../examples/cluster/main.js", import.meta.url));

test("a release of five prompts outlives killed servers and an update of them all", async () => {
  const shown = codeIn(await readHere("docs/guide/cluster.md"), "sh").at(-1) ?? "";
  const [, flags = ""] = /^npm run demo:cluster -- (.*)\n$/.exec(shown) ?? [];
  const args = [DEMO, ...`${flags} --kills 3 --think 100 --work 200`.split(" ")];
  const demo = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(demo, "exit");
  const [said, complaints] = await Promise.all([text(demo.stdout), text(demo.stderr)]);
  const [code] = (await ended) as [number | null];
  expect({ code, complaints }, said).toEqual({ code: 0, complaints: "" });
  const value = (label: string) => Number(new RegExp(`^ +${label} +(\\d+)`, "m").exec(said)?.[1]);
  expect(value("kills")).toBe(3);
  expect(value("rolling updates")).toBeGreaterThan(0);
  expect(value("questions asked twice")).toBe(0);
  expect(value("answers accepted")).toBe(value("prompts"));
  expect(value("effects")).toBe(5 * value("releases"));
});
