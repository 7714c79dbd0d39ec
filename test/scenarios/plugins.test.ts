import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type Beckon, createBeckon } from "../../src/beckon.ts";
import { loadPlugins } from "../../src/plugins/index.ts";
import { Client } from "./client.ts";
import { callTool, operate } from "./turns.ts";
import { inEveryMode, verifies } from "./verifies.ts";

const folder = mkdtempSync(join(tmpdir(), "beckon-plugin-scenarios-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

function writePlugin(id: string, manifest: unknown, code: string): string {
  const path = join(folder, "plugins", id);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "manifest.json"), JSON.stringify(manifest));
  writeFileSync(join(path, "index.mjs"), code);
  return path;
}

/** Its manifest says nothing of asking. */
const path = writePlugin(
  "door-keeper",
  {
    id: "door-keeper",
    version: "1.0.0",
    operations: [
      {
        id: "let-in",
        summary: "Lets somebody in",
        durable: "replay",
        inputSchema: {
          type: "object",
          properties: { name: { type: "string" } },
          required: ["name"],
          additionalProperties: false,
        },
      },
      { id: "guests", summary: "Who is in", inputSchema: { type: "object" } },
    ],
  },
  `import { writeFileSync } from "node:fs";
   import { join } from "node:path";
   let started = 0;
   export default async function start({ settings, dataDir }) {
     started++;
     const guests = [];
     return {
       operations: {
         "let-in": ({ name }, ctx) => ctx.requestInteraction({
           type: "approval",
           prompt: (settings.greeting ?? "Let in") + " " + name + "?",
           onResponse({ action }) {
             if (action === "approve") guests.push(name);
             return { complete: { in: [...guests], started } };
           },
         }),
         guests: () => ({ in: [...guests], started }),
       },
       shutdown: () => writeFileSync(join(dataDir, "goodbye"), guests.join()),
     };
   }`,
);

const loaded = await loadPlugins([path], { pluginsDataDir: join(folder, "data"), log: quiet });

verifies(
  ["plugins:ask", "plugins:closure"],
  "an operation asks through its ctx, by an agent or over HTTP, and its hooks share its state",
  { tools: loaded.tools },
  async (world) => {
    const { session, client } = await world.conversation();
    const { in: before } = (await operate(world, session.id, "door_keeper_guests")).body.result;
    const turn = await callTool(client, session.id, "door_keeper_let_in", { name: "Ada" });
    const request = await turn.request();
    expect(request.payload).toMatchObject({
      toolName: "door_keeper_let_in",
      prompt: "Let in Ada?",
      toolInput: { name: "Ada" },
    });
    await client.answer(request, { action: "approve" });
    const result = { in: [...before, "Ada"], started: 1 };
    expect((await turn.result()).payload).toMatchObject({ ok: true, result });
    const guests = await operate(world, session.id, "door_keeper_guests");
    expect(guests.body).toEqual({ ok: true, result });
  },
);

const strictPath = writePlugin(
  "strict",
  {
    id: "strict",
    version: "1",
    operations: [
      {
        id: "ask",
        summary: "Asks, and promises an answer.",
        durable: "replay",
        inputSchema: { type: "object" },
        outputSchema: { type: "object", required: ["answer"] },
      },
    ],
  },
  `export default { operations: { ask: (args, ctx) => ctx.requestInteraction({
     type: "approval",
     timeoutMs: 1_000,
     onResponse: ({ action }) => ({ complete: action === "approve" ? { answer: 1 } : {} }),
     onTimeout: () => ({ pending: { message: "Later." } }),
   }) } };`,
);
const strict = await loadPlugins([strictPath], {
  pluginsDataDir: join(folder, "data"),
  log: quiet,
});

inEveryMode(
  "an operation is held to its outputSchema, unless its answer is still to come",
  { tools: strict.tools },
  async (world) => {
    const { session, client } = await world.conversation();
    const ask = () => callTool(client, session.id, "strict_ask");
    const good = await ask();
    await client.answer(await good.request(), { action: "approve" });
    expect((await good.result()).payload).toMatchObject({ ok: true, result: { answer: 1 } });
    await good.end();
    const bad = await ask();
    await client.answer(await bad.request(), { action: "deny" });
    expect((await bad.result()).payload).toMatchObject({
      ok: false,
      error: {
        code: "invalid_output",
        message:
          'The plugin strict gave a result that does not fit the outputSchema of "ask": answer is required.',
      },
    });
    await bad.end();
    const later = await ask();
    await later.request();
    await world.advance(1_000);
    expect((await later.result()).payload).toMatchObject({
      ok: true,
      result: { pending: true, queued: true, message: "Later." },
    });
  },
);

async function start(dataDir: string): Promise<{ beckon: Beckon; url: string }> {
  const beckon = await createBeckon({
    dataDir,
    plugins: [join(folder, "plugins")],
    pluginSettings: { "door-keeper": { greeting: "Open for" } },
    log: quiet,
  });
  const { url } = await beckon.listen({ host: "127.0.0.1", port: 0 });
  return { beckon, url };
}

test("a whole server runs a plugin from its folder, over a restart, beside a broken one", async () => {
  writePlugin("broken", { id: "broken", version: "1", operations: [] }, "throw new Error('oh');");
  const dataDir = join(folder, "server");
  let { beckon, url } = await start(dataDir);
  try {
    expect(beckon.pluginProblems).toMatchObject([{ plugin: "broken" }]);
    const http = async (method: string, route: string, body?: unknown, sessionId?: string) => {
      const response = await fetch(url + route, {
        method,
        headers: {
          authorization: `Bearer ${beckon.ownerToken}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(sessionId ? { "x-session-id": sessionId, "x-tool-call-id": "mine" } : {}),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    };
    const { plugins } = (await http("GET", "/api/plugins")).body;
    expect(plugins).toMatchObject([
      { id: "door-keeper", operations: [{ id: "let-in" }, {}] },
      { id: "strict", operations: [{ outputSchema: { required: ["answer"] } }] },
    ]);
    const session = (await http("POST", "/api/sessions", {})).body;
    const route = "/api/plugins/door-keeper/operations/let-in";
    const bad = await http("POST", route, { nome: "Ada" }, session.id);
    expect(bad.body).toMatchObject({ ok: false, code: "invalid_arguments" });
    expect((await http("POST", "/api/plugins/broken/operations/x", {}, session.id)).status).toBe(
      404,
    );

    let client = await Client.connect(url, beckon.ownerToken);
    await client.subscribe(session.id);
    const turn = await callTool(client, session.id, "door_keeper_let_in", { name: "Ada" });
    const request = await turn.request();
    expect(request.payload.prompt).toBe("Open for Ada?");
    await beckon.close();
    expect((await client.untilClosed()).code).toBe(1001);
    expect(readFileSync(join(dataDir, "plugins", "door-keeper", "goodbye"), "utf8")).toBe("");

    ({ beckon, url } = await start(dataDir));
    client = await Client.connect(url, beckon.ownerToken);
    await client.subscribe(session.id);
    await client.answer(request, { action: "approve" });
    const done = await client.event("tool_result", (one) => one.toolCallId !== "mine");
    // Its state is the new process's: what must outlive a restart belongs into its dataDir.
    expect(done.payload).toMatchObject({ ok: true, result: { in: ["Ada"] } });
  } finally {
    await beckon.close();
  }
});
