import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run } from "../../../src/cli/program.ts";
import { processStart } from "../../../src/store/sqlite/process-start.ts";
import { ServerProcess } from "../../process/server-process.ts";
import { bearer, inWords, Wire } from "../wire.ts";

/** A server that was told nothing but where its data is, by a user whose files are open to all. */
let server: ServerProcess;
let wire: Wire;
let directory: string;
let data: string;
let port: number;
const umask = process.umask();
beforeAll(async () => {
  process.umask(0);
  directory = mkdtempSync(join(tmpdir(), "beckon-defaults-"));
  data = join(directory, "data");
  server = await ServerProcess.start(data);
  port = Number(new URL(server.url).port);
  wire = new Wire(port);
});
afterAll(async () => {
  process.umask(umask);
  await server.end("SIGKILL");
  rmSync(directory, { recursive: true, force: true });
});

/** A `beckon serve` that should not come to listen: if it does, it stops at once with 0. */
async function serve(...args: string[]): Promise<{ code: number; said: string }> {
  let said = "";
  const say = (line: string) => void (said += `${line}\n`);
  const io = { out: say, err: say, env: {}, stopSignal: () => AbortSignal.abort() };
  return { code: await run(["serve", "--port", "0", ...args], io), said };
}

describe("with nothing configured, the network", () => {
  test("has it on 127.0.0.1 only", async () => {
    expect(server.url).toBe(`http://127.0.0.1:${port}`);
    // If it listened anywhere else, or everywhere, another address would not be free.
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ address, family }) => family === "IPv4" && address !== "127.0.0.1")
      .map(({ address }) => address);
    for (const address of ["127.0.0.2", ...others]) {
      const probe = createServer();
      await new Promise<void>((resolve, reject) => {
        probe.once("error", reject).listen(port, address, resolve);
      });
      probe.close();
    }
  });

  test.each(["0.0.0.0", "::", "192.0.2.1", "", "example.com", "127.0.0.1.nip.io", "[::1]"])(
    "cannot have it on --host %j without a name that it may be used by",
    async (host) => {
      const other = join(directory, "other");
      const ended = await serve("--data", other, "--host", host);
      expect(ended.code).toBe(2);
      expect(ended.said).toContain("--allow-host");
    },
  );

  test.each(["*", "http://box.lan", "box lan", "box.lan/", "", "box.lan:x"])(
    "cannot have it under --allow-host %j, which is no name",
    async (name) => {
      const other = ["--data", join(directory, "other"), "--host", "0.0.0.0"];
      const ended = await serve(...other, "--allow-host", name);
      expect(ended.code).toBe(1);
      expect(ended.said).toContain("--allow-host");
    },
  );
});

describe("with nothing configured, another user of the machine", () => {
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

  test("can look into no file of the data directory, nor into it", async () => {
    await server.http("POST", "/api/sessions", {});
    expect(modeOf(data)).toBe("700");
    const files = readdirSync(data);
    expect(files).toEqual(expect.arrayContaining(["beckon.db", "beckon.db-wal", "token"]));
    expect(files.map((name) => [name, modeOf(join(data, name))])).toEqual(
      files.map((name) => [name, "600"]),
    );
  });

  test("cannot in a directory that was there before, and open to all", async () => {
    const shared = join(directory, "shared");
    mkdirSync(shared, { mode: 0o755 });
    const second = await ServerProcess.start(shared);
    const files = readdirSync(shared);
    await second.end("SIGKILL");
    expect(files.map((name) => [name, modeOf(join(shared, name))])).toEqual(
      files.map((name) => [name, "600"]),
    );
  });

  test("finds no token but in the file that is called so, and there only the owner's", () => {
    const token = server.token;
    expect(token).toMatch(/^bk_[A-Za-z0-9_-]{43}$/);
    for (const name of readdirSync(data).filter((one) => one !== "token")) {
      const bytes = readFileSync(join(data, name));
      expect([name, bytes.includes(token), bytes.includes(server.code)]).toEqual([
        name,
        false,
        false,
      ]);
    }
    const { processStart: begun, ...info } = JSON.parse(
      readFileSync(join(data, "server.json"), "utf8"),
    );
    expect(Object.keys(info).sort()).toEqual(["host", "pid", "port", "startedAt", "url"]);
    // When its process began, which the system tells everybody.
    expect(begun).toBe(processStart(info.pid));
  });
});

describe("with nothing configured, every answer", () => {
  const CSP =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
    "img-src 'self' data:; font-src 'self'; manifest-src 'self'; base-uri 'none'; " +
    "form-action 'none'; frame-ancestors 'none'";
  test.each([
    ["the page", "GET /", "200 ok"],
    ["its icon", "GET /icon.svg", "200 ok"],
    ["health", "GET /api/health", "200 ok"],
    ["a refusal", "GET /api/sessions", "401 unauthorized"],
    ["what is not there", "GET /nothing", "404 not_found"],
    ["a preflight", "OPTIONS /api/sessions", "401 unauthorized"],
    ["a method that nobody knows", "TRACE /api/sessions", "401 unauthorized"],
    ["a wrong Host", "GET /api/sessions", "403 forbidden_host"],
  ])("(%s) has the same headers of safety", async (what, line, expected) => {
    const host = what === "a wrong Host" ? "evil.example" : `127.0.0.1:${port}`;
    const { headers, ...reply } = await wire.send(line, { host });
    expect(inWords(reply)).toBe(expected);
    expect(headers["content-security-policy"]).toBe(CSP);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["referrer-policy"]).toBe("no-referrer");
    expect(headers["cross-origin-resource-policy"]).toBe("same-origin");
    expect(headers["cross-origin-opener-policy"]).toBe("same-origin");
    expect(headers["cache-control"]).toMatch(/^no-(store|cache)$/);
    const names = Object.keys(headers);
    expect(names.filter((name) => /^access-control|^x-powered|^server$|^etag/.test(name))).toEqual(
      [],
    );
  });

  test("that is an error is a sentence and a code, without version, stack or path", async () => {
    const version = (await wire.send("GET /api/health")).body.version as string;
    const json = { ...bearer(server.token), "content-type": "application/json" };
    const errors = [
      await wire.send("GET /api/nothing"),
      await wire.send("GET /api/sessions/x", bearer(server.token)),
      await wire.send("POST /api/sessions", json, "{"),
      await wire.send("POST /api/sessions", json, '{"title":7}'),
      await wire.send("GET /%ff%fe/..%2f", bearer(server.token)),
    ];
    for (const { status, text, body } of errors) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(body).toMatchObject({ error: expect.any(String), code: expect.any(String) });
      expect(text).not.toContain(version);
      expect(text).not.toMatch(/\bat \w+|node:|\.js|\.ts\b|\/tmp\/|node_modules/);
    }
  });
});

describe("with nothing configured, a stranger", () => {
  test.each([
    ["reads nothing", "GET /api/sessions", undefined, "401 unauthorized"],
    ["starts nothing", "POST /api/sessions", "{}", "401 unauthorized"],
    ["answers nothing", "POST /api/interactions/x/respond", "{}", "401 unauthorized"],
  ])("%s", async (_what, line, body, expected) => {
    expect(inWords(await wire.send(line, { "content-type": "application/json" }, body))).toBe(
      expected,
    );
    expect(await wire.upgrade({})).toBe("401 unauthorized");
  });
});

test("the address that is printed has the code in its fragment, and it is good once", async () => {
  const printed = JSON.parse(server.output.split("\n")[0] ?? "") as { url: string; code: string };
  const url = new URL(printed.url);
  expect([url.search, url.hash]).toEqual(["", `#code=${printed.code}`]);
  const json = { "content-type": "application/json", origin: server.url };
  const body = JSON.stringify({ code: printed.code });
  const first = await wire.send("POST /api/auth/exchange", json, body);
  expect(first.headers["set-cookie"]?.[0]).toMatch(/; HttpOnly; SameSite=Strict; Path=\//);
  expect(inWords(await wire.send("POST /api/auth/exchange", json, body))).toBe("401 unauthorized");
});
