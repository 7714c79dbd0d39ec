import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client as Database } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { Settings } from "../../src/cli/settings.ts";
import { blocksOf, readPage } from "../support/markdown.ts";
import { startNginxLike } from "../support/nginx-proxy.ts";
import { type PostgresServer, startPostgres } from "../support/postgres/server.ts";
import { type Running, runCommand, startCommand } from "../support/run-command.ts";
import { shellWords } from "./shell-words.ts";

/* What docs/guide/cluster.md shows, and the files of examples/cluster. */

const page = readPage("docs/guide/cluster.md");
const file = (name: string) => readPage(`examples/cluster/${name}`);
const NAME = "beckon.example.com";

let folder: string;
let postgres: PostgresServer;
let running: Running[];

beforeAll(async () => {
  postgres = await startPostgres();
  await makeRole();
});
afterAll(() => postgres.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "beckon-guide-"));
  running = [];
});
afterEach(async () => {
  for (const one of running) one.stop();
  await Promise.all(running.map(({ done }) => done));
  rmSync(folder, { recursive: true, force: true });
});

/** The block of shell that has these words, with our database and our folders in place of its own. */
function commandOf(words: string): { args: string[]; env: Record<string, string> } {
  const block = blocksOf(page, "sh").find((one) => one.includes(words)) ?? "";
  const line = block.split("\n").find((one) => one.startsWith("node bin/beckon.js")) ?? "";
  const exported = /BECKON_STORE='([^']*)'/.exec(page)?.[1] ?? "";
  const store = exported.replace("127.0.0.1:5432", new URL(postgres.url).host);
  const args = shellWords(line, { BECKON_STORE: store }).slice(2);
  const here = args.map((word) => (word.startsWith("./") ? join(folder, word) : word));
  return { args: here, env: { BECKON_STORE: store, BECKON_LOG: "silent" } };
}

async function makeRole(): Promise<void> {
  const [server = "", inside = ""] = file("role.sql").split("\\connect beckon\n");
  for (const [database, sql] of [
    ["postgres", server],
    ["beckon", inside],
  ]) {
    const client = new Database({ connectionString: `${postgres.url}/${database}` });
    await client.connect();
    for (const statement of (sql ?? "").replaceAll(/--.*$/gm, "").split(";")) {
      if (statement.trim() !== "") await client.query(statement);
    }
    await client.end();
  }
}

test("the move that the guide shows takes a data directory along", async () => {
  const { args, env } = commandOf("beckon.js move");
  const data = join(folder, "old");
  const made = ["token", "create", "--kind", "person", "--name", "Ann", "--data", data];
  await runCommand(made);
  const moved = await runCommand(args, { env });
  expect(moved, moved.err).toMatchObject({ exitCode: 0 });
  const listed = await runCommand(["token", "list", "--data", data], { env });
  expect(listed.out.join("\n")).toContain("Ann");
});

test("a server works as the role that the guide makes, which can do nothing beside that", async () => {
  const { args, env } = commandOf("serve --data");
  const server = startCommand([...args, "--port", "0", "--json"], { env });
  running.push(server);
  const { url } = JSON.parse(await server.firstLine) as { url: string };
  const token = readFileSync(join(folder, "one", "token"), "utf8").trim();
  const listed = await fetch(`${new URL(url).origin}/api/nodes`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await listed.json()).toMatchObject({ nodes: [{ name: "one", live: true }] });

  const client = new Database({ connectionString: env["BECKON_STORE"] });
  await client.connect();
  await expect(client.query("CREATE TABLE public.more (x int)")).rejects.toThrow(
    "permission denied",
  );
  await expect(client.query("CREATE SCHEMA another")).rejects.toThrow("permission denied");
  await expect(client.query("CREATE ROLE another")).rejects.toThrow("permission denied");
  await client.end();
});

test("the settings that the guide shows are taken", () => {
  for (const shown of blocksOf(page, "json")) {
    expect(Settings.safeParse(JSON.parse(shown)).error).toBeUndefined();
  }
});

test("the servers of the compose file are started with options that there are, each as another", async () => {
  const known = (await runCommand(["serve", "--help"])).out.join("\n");
  const commands = [...file("compose.yaml").matchAll(/command: node bin\/beckon\.js serve (.*)/g)];
  const names = commands.map(([, line = ""]) => {
    const options = line.split(" ").filter((word) => word.startsWith("--"));
    for (const option of options) expect(known).toContain(`${option} `);
    return /--node (\S+)/.exec(line)?.[1];
  });
  expect(names).toEqual(["node-1", "node-2", "node-3"]);
  for (const proxy of ["Caddyfile", "nginx.conf"]) {
    const reached = [...file(proxy).matchAll(/(node-\d):4780/g)].map(([, name]) => name);
    expect(reached, proxy).toEqual(names);
  }
});

test("a proxy as the guide has it finds a server well, and is let through by it", async () => {
  const { args, env } = commandOf("serve --data");
  const more = ["--port", "0", "--json", "--allow-host", NAME];
  const server = startCommand([...args, ...more], { env });
  running.push(server);
  const { origin } = new URL((JSON.parse(await server.firstLine) as { url: string }).url);
  const [, asked = ""] = /health_uri (\S+)/.exec(file("Caddyfile")) ?? [];
  const [, host = ""] = /Host (\S+)/.exec(file("Caddyfile")) ?? [];
  expect(host).toBe(NAME);
  const proxy = await startNginxLike(file("nginx.conf").replace("http://beckon;", `${origin};`));
  try {
    const status = await new Promise((resolve, reject) => {
      const sent = request({ port: proxy.port, path: asked, headers: { host } }, (reply) => {
        reply.resume();
        resolve(reply.statusCode);
      });
      sent.on("error", reject).end();
    });
    expect(status).toBe(200);
  } finally {
    proxy.close();
  }
});
