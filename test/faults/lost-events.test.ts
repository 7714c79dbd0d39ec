import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { type Beckon, createBeckon } from "../../src/beckon.ts";
import { type ChatSession, createChatSession } from "../../src/client/index.ts";
import { Database } from "../../src/store/sqlite/database.ts";
import { createHttpTransport, createWebSocketTransport } from "../../src/transport/index.ts";

const log = { info() {}, warn() {}, error() {} };
const HOST = "127.0.0.1";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "beckon-lost-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function request(beckon: Beckon, path: string, body?: object): Promise<Response> {
  const headers = {
    authorization: `Bearer ${beckon.ownerToken}`,
    "content-type": "application/json",
    ...(path.endsWith("/messages") && { accept: "text/event-stream" }),
  };
  const init = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
  return beckon.fetch(new Request(`http://localhost${path}`, init));
}

/** Says something, and waits for the end of the turn. */
async function say(beckon: Beckon, sessionId: string, content: string): Promise<void> {
  const reply = await request(beckon, `/api/sessions/${sessionId}/messages`, { content });
  expect(await reply.text()).toContain("event: done");
}

async function page(beckon: Beckon, sessionId: string) {
  const reply = await request(beckon, `/api/sessions/${sessionId}/events?after=0`);
  return (await reply.json()) as { lastSeq: number; logId: string };
}

function checkpoint(dataDir: string): void {
  const database = new Database(join(dataDir, "beckon.db"), 1_000);
  expect(database.pragma("wal_checkpoint(TRUNCATE)")).toBe(0);
  database.close();
}

/** What people said, as the client shows it. */
function messages(chat: ChatSession): string[] {
  const blocks = chat.get().view.turns.flatMap((turn) => turn.blocks);
  return blocks.flatMap((block) => (block.kind === "message" ? [block.text] : []));
}

test.each([
  [
    "WebSocket",
    (url: string, token: string) => createWebSocketTransport({ url, token, WebSocket }),
  ],
  ["event streams", (url: string, token: string) => createHttpTransport({ url, token })],
])(
  "a client over %s that has seen lost events shows the log that is there, however long that is",
  async (_name, connect) => {
    const before = join(directory, "before");
    const after = join(directory, "after");
    const first = await createBeckon({ dataDir: before, log });
    const { url, port } = await first.listen({ host: HOST, port: 0 });
    const { id } = (await (await request(first, "/api/sessions", {})).json()) as { id: string };
    await say(first, id, "kept");
    checkpoint(before);
    await say(first, id, "lost");
    const transport = connect(url, first.ownerToken);
    const chat = createChatSession(transport, id);
    await expect.poll(() => messages(chat)).toEqual(["kept", "lost"]);
    const seen = await page(first, id);

    const isLeft = (file: string) => !["server.lock", "beckon.db-wal"].includes(basename(file));
    cpSync(before, after, { recursive: true, filter: isLeft });
    await first.close();
    const second = await createBeckon({ dataDir: after, log });
    for (const text of ["new", "newer"]) await say(second, id, text);
    const now = await page(second, id);
    expect(now.lastSeq).toBeGreaterThan(seen.lastSeq);
    expect(now.logId).not.toBe(seen.logId);

    await second.listen({ host: HOST, port });
    await expect.poll(() => messages(chat)).toEqual(["kept", "new", "newer"]);
    expect(chat.get().view.lastSeq).toBe(now.lastSeq);
    chat.close();
    transport.close();
    await second.close();
  },
);
