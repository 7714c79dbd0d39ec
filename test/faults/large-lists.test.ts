import { expect, test } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import { LIMITS } from "../../src/protocol/index.ts";
import { listOf } from "../limits/values.ts";
import { World } from "../scenarios/world.ts";

const LONG = "x".repeat(20_000);
/** Together some twelve megabytes. */
const SESSIONS = 30;

/** Every page's text, from the first to the last. */
async function readPages(world: World, path: string): Promise<{ text: string; body: any }[]> {
  const pages: { text: string; body: any }[] = [];
  let cursor = "";
  do {
    const headers = { authorization: `Bearer ${world.owner}` };
    const text = await (await fetch(`${world.node.url}${path}${cursor}`, { headers })).text();
    const body = JSON.parse(text);
    pages.push({ text, body });
    cursor = body.next === undefined ? "" : `&cursor=${body.next}`;
  } while (cursor !== "");
  return pages;
}

async function askMuch(world: World): Promise<string[]> {
  const asked: string[] = [];
  for (let count = 0; count < SESSIONS; count++) {
    const { id: sessionId } = await world.session({ title: `Session ${count}` });
    for (let prompt = 0; prompt < 20; prompt++) {
      const body = { sessionId, type: "approval", prompt: LONG };
      asked.push((await world.http("POST", "/api/interactions", body)).body.id);
    }
  }
  return asked;
}

test("a list of large prompts comes in pages of bounded size, none left out, also as the inbox", async () => {
  await using world = await World.start({ latency: false });
  const asked = await askMuch(world);
  const pages = await readPages(world, "/api/interactions?status=pending");
  const ids = pages.flatMap(({ body }) => body.interactions.map(({ id }: { id: string }) => id));
  expect(ids).toHaveLength(asked.length);
  expect(new Set(ids)).toEqual(new Set(asked));
  for (const { text } of pages) expect(text.length).toBeLessThan(2 * LIMITS.listPageBytes);

  const client = await world.person();
  const inbox = await client.ask({ type: "subscribe", inbox: true });
  expect(JSON.stringify(inbox).length).toBeLessThan(2 * LIMITS.listPageBytes);
  expect(inbox).toMatchObject({ type: "inbox", next: pages[0]?.body.next });
  expect(inbox["interactions"]).toEqual(pages[0]?.body.interactions);
});

test("a list of sessions whose rows are large comes in pages of bounded size, none left out", async () => {
  await using world = await World.start({ latency: false });
  const made = await Promise.all(listOf(100, () => world.session({ systemPrompt: LONG })));
  const pages = await readPages(world, "/api/sessions?limit=200");
  const ids = pages.flatMap(({ body }) => body.sessions.map(({ id }: { id: string }) => id));
  expect(new Set(ids)).toEqual(new Set(made.map(({ id }) => id)));
  expect(pages.length).toBeGreaterThan(3);
});

const writing = defineTool({
  name: "files_write",
  description: "Asks before it pretends to write.",
  parameters: { type: "object" },
  durable: "replay",
  handler: (_args, ctx) =>
    ctx.requestInteraction({ type: "approval", onResponse: () => ({ complete: true }) }),
});

test("of who reads large prompts many at once, one is read in a turn of the loop, and others are served between", async () => {
  await using world = await World.start({ latency: false, tools: [writing] });
  const { session, client } = await world.conversation();
  const input = { pieces: listOf(12, () => "x".repeat(16_384)) };
  void world.http("POST", "/api/plugins/files/operations/write", input, {
    "x-session-id": session.id,
  });
  const { payload } = await client.event("interaction_request");
  const turns: number[] = [];
  let turn = 0;
  let isWatching = true;
  const count = () => {
    turn++;
    if (isWatching) setImmediate(count);
  };
  setImmediate(count);
  const call = world.store.call.bind(world.store);
  world.store.call = (sessionId, id) => {
    turns.push(turn);
    return call(sessionId, id);
  };
  const who = {
    principalId: "owner",
    kind: "person",
    name: "",
    tokenId: "",
    sessionId: null,
  } as const;
  const read = await Promise.all(
    listOf(8, () => world.node.core.interaction(who, payload.interactionId)),
  );
  isWatching = false;
  expect(read.every(({ request }) => request.toolInput !== undefined)).toBe(true);
  expect(turns).toHaveLength(8);
  expect(new Set(turns).size).toBe(8);
});
