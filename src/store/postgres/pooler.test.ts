import { connect, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase } from "../../../test/support/postgres/database.ts";
import { addSession, textEvent } from "../../testing/store-contract/subject.ts";
import { commit } from "../../testing/store-contract/writes.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

const REFUSAL = "unsupported startup parameter: statement_timeout";
const [PARSE, QUERY] = ["P", "Q"];

/** An error as PostgreSQL's protocol has it. */
function refusal(): Buffer {
  const body = Buffer.from(`SFATAL\0C08P01\0M${REFUSAL}\0\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/**
 * Stands between as a pooler in transaction mode does: it takes no settings at sign-in, and notes
 * what a connection that is somebody else's next would keep: named statements, settings, listening.
 */
function startPooler(target: URL, kept: string[]) {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => [client, upstream].forEach((one) => one.destroy()));
    }
    let isStartup = true;
    client.on("data", (data) => {
      if (isStartup && data.includes("statement_timeout")) return void client.end(refusal());
      if (!isStartup) kept.push(...statesIn(data));
      isStartup = false;
      upstream.write(data);
    });
    upstream.pipe(client);
  });
  return new Promise<{ port: number; close(): void }>((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      const close = (): void => {
        server.close();
        for (const socket of sockets) socket.destroy();
      };
      resolve({ port, close });
    }),
  );
}

/** Statements with a name, and those that change the connection they run on. */
function statesIn(data: Buffer): string[] {
  const found: string[] = [];
  for (let at = 0; at + 5 <= data.length; at += 1 + data.readUInt32BE(at + 1)) {
    const type = String.fromCharCode(data[at]!);
    const text = data.toString("utf8", at + 5, at + 1 + data.readUInt32BE(at + 1));
    if (type === PARSE && !text.startsWith("\0")) found.push(text);
    if ((type === PARSE || type === QUERY) && /^\0?(SET|LISTEN|PREPARE|DECLARE)/.test(text)) {
      found.push(text);
    }
  }
  return found;
}

let url: string;
let pooled: string;
const kept: string[] = [];
let pooler: { port: number; close(): void };

beforeAll(async () => {
  url = await createDatabase();
  pooler = await startPooler(new URL(url), kept);
  const through = new URL(url);
  through.port = String(pooler.port);
  pooled = through.href;
});
afterAll(() => pooler.close());

test("through a pooler that takes no settings everything works, and nothing stays on a connection", async () => {
  const { store, bus } = await openPostgresStore({ url: pooled, hints: "poll" });
  expect(bus).toBeUndefined();
  await addSession(store, "s1");
  await Promise.all(
    [1, 2, 3].map((n) => commit(store, { sessionId: "s1", events: [textEvent(`e${n}`)] })),
  );
  await Promise.all([store.session("s1"), store.renew("n", 5), store.changes(), store.health()]);
  expect(await store.session("s1")).toMatchObject({ lastSeq: 3 });
  await store.close();
  expect(kept).toEqual([]);
});

test("hints can be listened to at the server itself", async () => {
  const { store, bus } = await openPostgresStore({ url: pooled, listenUrl: url });
  expect(bus).toBeDefined();
  await store.close();
});
