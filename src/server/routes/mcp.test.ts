import { afterAll, beforeAll, expect, test } from "vitest";
import { type Beckon, createBeckon } from "../../beckon.ts";

let beckon: Beckon;
beforeAll(async () => {
  beckon = await createBeckon({ dataDir: ":memory:", plugins: ["examples/plugins/demo-tools"] });
});
afterAll(() => beckon.close());

interface Reply {
  id: number;
  result: { instructions?: string; tools?: { name: string }[] };
}

interface Sent {
  token?: string;
  method?: string;
  headers?: Record<string, string>;
}

/** Sends one message of a client of 2025-11-25. */
function send(message: object | undefined, { token, method = "POST", headers = {} }: Sent = {}) {
  const request = new Request("http://localhost/mcp", {
    method,
    headers: {
      authorization: `Bearer ${token ?? beckon.ownerToken}`,
      accept: "application/json, text/event-stream",
      ...(message ? { "content-type": "application/json" } : {}),
      ...headers,
    },
    ...(message ? { body: JSON.stringify({ jsonrpc: "2.0", ...message }) } : {}),
  });
  return beckon.fetch(request);
}

/** The reply of a stream, which may tell of progress before. */
async function replyTo(message: object, sent?: Sent): Promise<Reply | undefined> {
  const text = await (await send({ id: 1, ...message }, sent)).text();
  const events = Array.from(
    text.matchAll(/^data: (.*)$/gm),
    ([, data = ""]) => JSON.parse(data) as Reply,
  );
  return events.find(({ id }) => id === 1);
}

async function toolNames(sent?: Sent): Promise<string[]> {
  const reply = await replyTo({ method: "tools/list" }, sent);
  return (reply?.result.tools ?? []).map(({ name }) => name);
}

const OPERATIONS = ["demo_tools_ask_later", "demo_tools_collect_email", "demo_tools_delete_files"];

async function boundToken(): Promise<string> {
  const headers = {
    authorization: `Bearer ${beckon.ownerToken}`,
    "content-type": "application/json",
  };
  const made = { method: "POST", headers, body: "{}" };
  const session = await beckon.fetch(new Request("http://localhost/api/sessions", made));
  const { id } = (await session.json()) as { id: string };
  const holder = { kind: "machine", name: "Agent" } as const;
  return (await beckon.credentials.createToken({ holder, sessionId: id })).token;
}

test("a client is greeted in its own version, by what the server is", async () => {
  for (const protocolVersion of ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]) {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: "t", version: "1" } };
    const reply = await replyTo({ method: "initialize", params });
    expect(reply?.result).toMatchObject({ protocolVersion, serverInfo: { name: "beckon" } });
    expect(reply?.result.instructions).toContain("wait_for_answer");
  }
});

test("who is bound to no session has the tools that ask, and every operation", async () => {
  const names = ["ask", "choose", "confirm", "form", "wait_for_answer", ...OPERATIONS];
  expect((await toolNames()).toSorted()).toEqual(names.toSorted());
});

test("who is bound to a session has its questions and every operation; a runtime waits by itself", async () => {
  const token = await boundToken();
  const names = ["ask_questions", "ask_user", ...OPERATIONS];
  expect((await toolNames({ token })).toSorted()).toEqual([...names, "wait_for_answer"].toSorted());
  const headers = { "x-beckon-caller": "runtime" };
  expect((await toolNames({ token, headers })).toSorted()).toEqual(names.toSorted());
});

test("there is nothing to read or to delete here, and nothing without a credential", async () => {
  for (const method of ["GET", "DELETE"]) {
    const reply = await send(undefined, { method });
    expect([reply.status, reply.headers.get("allow")]).toEqual([405, "POST"]);
  }
  const stranger = await send({ id: 1, method: "tools/list" }, { token: "bk_nobody" });
  expect([stranger.status, await stranger.json()]).toMatchObject([401, { code: "unauthorized" }]);
});

test.each([
  ["x-wait-ms", "soon"],
  ["x-wait-ms", "-1"],
  ["x-request-id", "no id"],
  ["x-client-id", "no id"],
])("the header %s: %s is refused", async (name, value) => {
  const reply = await send({ id: 1, method: "tools/list" }, { headers: { [name]: value } });
  expect([reply.status, await reply.json()]).toMatchObject([400, { code: "invalid_request" }]);
});

test("what is no message of JSON-RPC is refused", async () => {
  const headers = {
    authorization: `Bearer ${beckon.ownerToken}`,
    "content-type": "application/json",
  };
  const bodies = ["{}", "[]", '{"jsonrpc":"1.0","id":1,"method":"ping"}', "{"];
  const statuses = bodies.map(async (body) => {
    const request = new Request("http://localhost/mcp", { method: "POST", headers, body });
    return (await beckon.fetch(request)).status;
  });
  expect(await Promise.all(statuses)).toEqual([400, 400, 400, 400]);
});

test("a caller in this process that hangs up has its calls back", async () => {
  const token = await boundToken();
  const call = { id: 1, method: "tools/call", params: { name: "ask_user", arguments: {} } };
  for (let n = 0; n < 120; n++) {
    const reply = await send(call, { token });
    expect(reply.status).toBe(200);
    await reply.body?.cancel();
  }
});
