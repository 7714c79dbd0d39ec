import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { type Beckon, createBeckon } from "../../src/beckon.ts";
import { run } from "../../src/cli/program.ts";
import { OWNER_ID } from "../../src/server/index.ts";
import { blocksOf, readPage } from "../support/markdown.ts";
import { startNginxLike } from "../support/nginx-proxy.ts";

/* What docs/guide/deploying.md shows, with a small proxy that does what nginx.conf says. */

const NAME = "beckon.example.com";
const OWN = `https://${NAME}`;

let folder: string;
let beckon: Beckon;
let configuration: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "beckon-deploy-"));
  beckon = await createBeckon({ dataDir: join(folder, "data"), allowedHosts: [NAME] });
  const { url } = await beckon.listen({ host: "127.0.0.1", port: 0 });
  configuration = readPage("examples/deploy/nginx.conf").replace("http://127.0.0.1:4780", url);
});
afterAll(async () => {
  await beckon.close();
  rmSync(folder, { recursive: true, force: true });
});

const page = readPage("docs/guide/deploying.md");

/** The block of shell on the page that begins like this. */
function shown(beginning: string): string {
  const found = blocksOf(page, "sh").find((block) => block.startsWith(beginning));
  if (found === undefined) throw new Error(`The page shows nothing that begins with ${beginning}`);
  return found;
}

/** Runs one command of Beckon's in this process, and gives what it printed on stdout. */
async function command(...args: string[]): Promise<string> {
  const said: string[] = [];
  const exitCode = await run(args, {
    out: (text) => said.push(text),
    err: () => {},
    env: { BECKON_DATA: join(folder, "data") },
    stopSignal: () => new AbortController().signal,
  });
  expect(exitCode).toBe(0);
  return said.join("\n");
}

type Headers = Record<string, string>;

async function begin(port: number, path: string, headers: Headers, body?: string) {
  const method = body === undefined ? "GET" : "POST";
  const json: Headers = body === undefined ? {} : { "content-type": "application/json" };
  const sending = request({ port, path, method, headers: { host: NAME, ...json, ...headers } });
  sending.end(body);
  const [reply] = (await once(sending, "response")) as [IncomingMessage];
  return reply;
}

async function ask(port: number, path: string, headers: Headers, body?: unknown) {
  const reply = await begin(port, path, headers, body === undefined ? body : JSON.stringify(body));
  const text = (await reply.toArray()).join("");
  return { status: reply.statusCode, headers: reply.headers, body: text ? JSON.parse(text) : {} };
}

/** What the server says first on a WebSocket, or with which status it was refused. */
async function hello(port: number, headers: Headers) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, {
    headers: { host: NAME, ...headers },
  });
  try {
    return await new Promise<string>((resolve, reject) => {
      socket.on("open", () => socket.send('{"type":"hello","protocolVersion":1}'));
      socket.on("message", (data: Buffer) => resolve(JSON.parse(data.toString()).type));
      socket.on("unexpected-response", (_sent, reply) => {
        void reply.toArray().then((pieces) => resolve(`${reply.statusCode} ${pieces.join("")}`));
      });
      socket.on("error", reject);
    });
  } finally {
    socket.terminate();
  }
}

test("a browser signs in, reads, listens and follows through the proxy, and no other page does", async () => {
  const { port, close } = await startNginxLike(configuration);
  try {
    const code = await beckon.credentials.createSigninCode(OWNER_ID);
    const signedIn = await ask(port, "/api/auth/exchange", { origin: OWN }, { code });
    const [cookie = ""] = signedIn.headers["set-cookie"] ?? [];
    expect(cookie).toMatch(/; Secure$/);
    const browser = { origin: OWN, cookie: cookie.split(";")[0] ?? "" };

    const session = await ask(port, "/api/sessions", browser, {});
    expect(session.status).toBe(201);
    expect(await hello(port, browser)).toBe("welcome");
    const stranger = { ...browser, origin: "https://evil.example" };
    expect((await ask(port, "/api/sessions", stranger)).body.code).toBe("forbidden_origin");
    expect(await hello(port, stranger)).toMatch(/^403 /);

    // The stream has no end: what is heard of it came while it was open.
    const events = `/api/sessions/${session.body.id}/events`;
    const stream = await begin(port, events, { ...browser, accept: "text/event-stream" });
    const messages = `/api/sessions/${session.body.id}/messages`;
    await ask(port, messages, browser, { content: "hello" });
    let heard = "";
    for await (const piece of stream) {
      heard += String(piece);
      if (heard.includes('"type":"turn_end"')) break;
    }

    const large = { "x-file": "a".repeat(2 * 1024 * 1024) };
    expect((await ask(port, "/api/hooks/nobody", browser, large)).body.code).toBe("not_found");
  } finally {
    close();
  }
});

test.each([
  ["proxy_set_header Host", '"code":"forbidden_origin"'],
  ["proxy_set_header Upgrade", "A proxy in between must pass on Upgrade and Connection."],
])("without %s the WebSocket is refused, with a sentence", async (line, sentence) => {
  expect(configuration).toContain(line);
  const { port, close } = await startNginxLike(configuration.replace(line, `# ${line}`));
  try {
    const headers = { origin: OWN, authorization: `Bearer ${beckon.ownerToken}` };
    expect(await hello(port, headers)).toContain(sentence);
  } finally {
    close();
  }
});

test("a backup of a running server is whole, and a server can be started on it", async () => {
  const headers = { authorization: `Bearer ${beckon.ownerToken}` };
  const asked = await beckon.fetch(
    new Request("http://localhost/api/interactions", {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: '{"type":"approval","prompt":"Kept?"}',
    }),
  );
  expect(asked.status).toBe(201);
  const target = join(folder, "copy");
  const script = shown("node ")
    .replace("/var/lib/beckon", join(folder, "data"))
    .replace(/\/var\/backups\/.*/, target);
  await promisify(execFile)("sh", ["-eu", "-c", script]);

  expect(await command("audit", "verify", "--data", target)).toMatch(/ whole$/);
  const restored = await createBeckon({ dataDir: target });
  try {
    // The same token is good, and the prompt is there.
    const list = new Request("http://localhost/api/interactions", { headers });
    expect(await (await restored.fetch(list)).json()).toMatchObject({
      interactions: [{ request: { prompt: "Kept?" } }],
    });
  } finally {
    await restored.close();
  }
});

test("a person and a program get tokens of their own, which are listed by name", async () => {
  let said = "";
  for (const line of shown("beckon token create").trim().split("\n")) {
    const words = Array.from(line.matchAll(/"([^"]*)"|\S+/g), ([word, quoted]) => quoted ?? word);
    said += `${await command(...words.slice(1))}\n`;
  }
  const [person = "", machine = ""] = said.match(/^bk_\S+$/gm) ?? [];
  expect(await beckon.credentials.authenticate(person)).toMatchObject({ kind: "person" });
  expect(await beckon.credentials.authenticate(machine)).toMatchObject({ kind: "machine" });
  expect(said).toMatch(/Night shift[\s\S]*ci/);
});
