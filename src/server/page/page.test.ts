import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startFakeServer } from "../../../test/support/fake-server.ts";
import { createPage } from "./index.ts";

const root = mkdtempSync(join(tmpdir(), "beckon-page-"));
const folder = join(root, "web");

beforeAll(() => {
  mkdirSync(join(folder, "assets"), { recursive: true });
  writeFileSync(join(root, "secret.js"), "outside");
  writeFileSync(join(root, "assets.js"), "outside");
  writeFileSync(join(folder, "index.html"), "<!doctype html>");
  writeFileSync(join(folder, "icon.svg"), "<svg/>");
  writeFileSync(join(folder, ".hidden.js"), "hidden");
  writeFileSync(join(folder, "notes.txt"), "no type for it");
  writeFileSync(join(folder, "assets", "app-1a2b.js"), "let a = 1;");
  writeFileSync(join(folder, "assets", "app-1a2b.js.gz"), gzipSync("let a = 1;"));
  writeFileSync(join(folder, "assets", "app-3c4d.css"), "a{}");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function get(path: string, headers: Record<string, string> = {}) {
  const { request } = await startFakeServer({}, [], createPage(folder));
  return request(path, { token: null, headers });
}

test.each([
  ["/", "text/html; charset=utf-8", "no-cache"],
  ["/icon.svg", "image/svg+xml", "no-cache"],
  ["/assets/app-1a2b.js", "text/javascript; charset=utf-8", /immutable/],
  ["/assets/app-3c4d.css", "text/css; charset=utf-8", /immutable/],
])("%s comes with its type, and is kept as long as its name allows", async (path, type, cache) => {
  const answer = await get(path);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe(type);
  expect(answer.headers.get("cache-control")).toMatch(cache);
  expect(answer.headers.get("content-security-policy")).toContain("script-src 'self'");
});

test("who takes gzip gets it where the build made it, and others the plain file", async () => {
  const packed = await get("/assets/app-1a2b.js", { "accept-encoding": "gzip, deflate, br" });
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  expect(packed.headers.get("vary")).toBe("Accept-Encoding");
  expect(gunzipSync(Buffer.from(await packed.arrayBuffer())).toString()).toBe("let a = 1;");
  const plain = await get("/assets/app-1a2b.js");
  expect(plain.headers.get("content-encoding")).toBeNull();
  expect(await plain.text()).toBe("let a = 1;");
});

describe("nothing outside the folder is reached", () => {
  const page = createPage(folder);
  test.each([
    "/../secret.js",
    "/assets/../../secret.js",
    "/assets/..",
    "/..%2fsecret.js",
    "/%2e%2e/secret.js",
    "/assets/%2e%2e%2f%2e%2e%2fsecret.js",
    "/..\\secret.js",
    "//secret.js",
    `/${join(root, "secret.js")}`,
    "/.hidden.js",
    "/assets/.hidden.js",
    "/assets/app-1a2b.js\0.svg",
    "/assets/app-1a2b.js.gz",
    "/assets",
    "/assets/",
    "/notes.txt",
    "/nothing.js",
    "/x.constructor",
    "/x.toString",
  ])("%j", async (path) => {
    expect(await page.file(path, { gzip: false })).toBeUndefined();
    expect(await page.file(path, { gzip: true })).toBeUndefined();
  });
});

test("a page that was not built says what to do, and the rest works", async () => {
  const { request } = await startFakeServer({}, [], createPage(join(root, "nothing")));
  const answer = await request("/", { token: null });
  expect(answer.status).toBe(503);
  expect(await answer.text()).toContain("Run `npm run build`");
  expect((await request("/api/health", { token: null })).status).toBe(200);
  expect((await request("/assets/app.js", { token: null })).status).toBe(404);
});
