import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Running, startCommand } from "../../test/support/run-command.ts";

let data: string;
let running: Running[];

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), "beckon-serve-"));
  running = [];
});
afterEach(async () => {
  await stopAll();
  await rm(data, { recursive: true, force: true });
});

async function stopAll(): Promise<void> {
  for (const one of running) one.stop();
  await Promise.all(running.map(({ done }) => done));
}

const start = (...args: string[]) => startIn({}, ...args);

function startIn(around: Record<string, string>, ...args: string[]): Running {
  const env = { BECKON_DATA: data, BECKON_LOG: "silent", ...around };
  const started = startCommand(args, { env });
  running.push(started);
  return started;
}

async function serve(...args: string[]) {
  const { firstLine, done } = start("serve", "--port", "0", "--json", ...args);
  const { url, port, pid, code } = JSON.parse(await firstLine) as Record<string, unknown>;
  return { url: new URL(String(url)), port: Number(port), pid, code: String(code), done };
}

const signIn = (origin: string, code: string) =>
  fetch(`${origin}/api/auth/exchange`, {
    method: "POST",
    headers: { "content-type": "application/json", origin },
    body: JSON.stringify({ code }),
  });

const sessions = (origin: string, token: string) =>
  fetch(`${origin}/api/sessions`, { headers: { authorization: `Bearer ${token}` } });

test("with --json the first line says where it listens, and a signal ends it with 0", async () => {
  const { url, port, pid, code, done } = await serve();
  expect(url.href).toBe(`http://127.0.0.1:${port}/#code=${code}`);
  expect(pid).toBe(process.pid);
  expect((await fetch(`${url.origin}/api/health`)).status).toBe(200);
  await stopAll();
  expect(await done).toMatchObject({ exitCode: 0, err: "" });
});

test("without --json the address stands on one line", async () => {
  const { firstLine, done } = start("serve", "--port", "0");
  expect(await firstLine).toMatch(/ http:\/\/127\.0\.0\.1:\d+\/#code=\S+$/);
  await stopAll();
  // Another terminal has neither this environment nor these options.
  expect((await done).err).toContain(`\`beckon open --data ${data}\` prints a fresh address`);
});

test.each([
  ["on the PATH", {}, "beckon open"],
  [
    "by npm start in a clone",
    { npm_lifecycle_event: "start", npm_package_name: "beckon" },
    "node bin/beckon.js open",
  ],
  [
    "by npm start of a package that uses it",
    { npm_lifecycle_event: "start", npm_package_name: "shop" },
    "beckon open",
  ],
])("who started it %s is told how to get a fresh address", async (_how, around, command) => {
  const server = startIn(around, "serve", "--port", "0");
  await server.said("Ctrl+C stops.");
  server.stop();
  expect((await server.done).err).toContain(
    `Open it within a minute; \`${command} --data ${data}\` prints a fresh address.`,
  );
});

test("open prints the address by which people come, where it is told so", async () => {
  const { url } = await serve("--allow-host", "beckon.example.com");
  const fresh = await start("open", "--url", "https://beckon.example.com/").done;
  const [, code = ""] =
    /^https:\/\/beckon\.example\.com\/#code=(\S+)$/.exec(fresh.out[0] ?? "") ?? [];
  expect((await signIn(url.origin, code)).status).toBe(200);
  expect(await start("open", "--url", "beckon.example.com").done).toMatchObject({ exitCode: 2 });
});

test("the code signs in once, and open prints another", async () => {
  const { url, code } = await serve();
  expect((await signIn(url.origin, code)).ok).toBe(true);
  expect((await signIn(url.origin, code)).ok).toBe(false);
  const fresh = await start("open").done;
  expect(fresh.exitCode).toBe(0);
  const address = new URL(fresh.out[0] ?? "");
  expect(address.origin).toBe(url.origin);
  expect((await signIn(url.origin, address.hash.replace("#code=", ""))).ok).toBe(true);
});

test("the owner's token is a file that only the owner can read", async () => {
  const { url } = await serve();
  const path = join(data, "token");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const token = (await readFile(path, "utf8")).trim();
  expect((await sessions(url.origin, token)).status).toBe(200);
});

test("a token made beside the server works at once, and no more when it is revoked", async () => {
  const { url } = await serve();
  const made = await start("token", "create", "--kind", "person").done;
  const token = made.out.at(-1) ?? "";
  expect((await sessions(url.origin, token)).status).toBe(200);
  const id = /revoke (\S+)$/.exec(made.err)?.[1] ?? "";
  expect((await start("token", "revoke", id).done).exitCode).toBe(0);
  expect((await sessions(url.origin, token)).status).toBe(401);
});

test("a second server on the same data says who has it", async () => {
  const { url } = await serve();
  const second = await start("serve", "--port", "0").done;
  expect(second.exitCode).toBe(1);
  expect(second.err).toContain(`is in use by process ${process.pid} at ${url.origin}`);
});

test("a port that is taken is named, and the data is free again", async () => {
  const { port } = await serve();
  const other = join(data, "other");
  const refused = await start("serve", "--port", String(port), "--data", other).done;
  expect(refused.exitCode).toBe(1);
  expect(refused.err).toContain(`Port ${port} of 127.0.0.1 is in use`);
  await serve("--data", other);
});

test("a broken plugin is named and the server starts", async () => {
  const { done } = await serve("--plugins", join(data, "nowhere"));
  await stopAll();
  const { err } = await done;
  expect(err).toContain("was skipped. There is no folder");
});

test.each([
  [[], ["questions"]],
  [["--no-official-plugins"], []],
])(
  "the plugins that come with Beckon are there, unless they are not wanted: %j",
  async (args, ids) => {
    const { url } = await serve(...args);
    const token = (await readFile(join(data, "token"), "utf8")).trim();
    const response = await fetch(`${url.origin}/api/plugins`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { plugins } = (await response.json()) as { plugins: { id: string }[] };
    expect(plugins.map(({ id }) => id)).toEqual(ids);
  },
);
