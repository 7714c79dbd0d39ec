import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

/* Which of the two builds of the command `bin/beckon.js` runs. */

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "beckon-bin-"));
  cpSync("bin", join(folder, "bin"), { recursive: true });
  put("package.json", '{ "type": "module" }');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(path: string, text: string, writtenAt = 1): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  utimesSync(join(folder, path), writtenAt, writtenAt);
}

const says = (word: string) => `console.log("${word}")`;
const beckon = () =>
  execFileSync(process.execPath, [join(folder, "bin/beckon.js")], {
    encoding: "utf8",
    stdio: "pipe",
  }).trim();

test("the bundle is run where it came after the compiler, and where the compiler never was", () => {
  put("dist/cli/main.js", says("compiled"));
  put("dist/bundle/main.js", says("bundled"), 3);
  expect(beckon()).toBe("bundled");
  put("dist/core/.tsbuildinfo", "", 2);
  put("dist/.tsbuildinfo", "", 2);
  expect(beckon()).toBe("bundled");
});

test("what was compiled is run where the compiler came after the bundle, and where there is none", () => {
  put("dist/cli/main.js", says("compiled"));
  expect(beckon()).toBe("compiled");
  put("dist/bundle/main.js", says("bundled"), 3);
  put("dist/core/.tsbuildinfo", "", 4);
  expect(beckon()).toBe("compiled");
});

test("where nothing is built, one sentence says what to do", () => {
  expect(() => beckon()).toThrow("Beckon is not built yet. Run: npm run build");
});
