import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test, vi } from "vitest";
import { Gate } from "../test/scenarios/tools.ts";
import { demoAgent } from "./agents/index.ts";
import { type Beckon, type BeckonOptions, createBeckon, defineTool } from "./beckon.ts";
import type { ChatEvent, EventPayload, SessionRecord } from "./protocol/index.ts";
import { createCredentials } from "./server/index.ts";
import { openSqliteStore } from "./store/index.ts";
import { systemClock, systemIds } from "./system.ts";
import { createFakeClock } from "./testing/index.ts";

const EXAMPLES = fileURLToPath(new URL("../examples/plugins", import.meta.url));
const log = { info() {}, warn() {}, error() {} };

let open: Beckon[] = [];
afterEach(async () => {
  for (const beckon of open) await beckon.close();
  open = [];
});

async function start(options: Partial<BeckonOptions> = {}): Promise<Beckon> {
  const beckon = await createBeckon({ dataDir: ":memory:", log, ...options });
  open.push(beckon);
  return beckon;
}

async function request<Body>(beckon: Beckon, path: string, body?: unknown): Promise<Body> {
  const response = await beckon.fetch(
    new Request(`http://localhost${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        authorization: `Bearer ${beckon.ownerToken}`,
        "content-type": "application/json",
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    }),
  );
  return (await response.json()) as Body;
}

type Asked = EventPayload<"interaction_request">;
type Answer = Record<string, unknown> & { action: string };

/** A person in a new session, who answers each prompt with the next of `answers`. */
async function sitDown(beckon: Beckon) {
  const { id: sessionId } = await request<SessionRecord>(beckon, "/api/sessions", {});
  const channel = beckon.connect(beckon.ownerToken);
  const send = (frame: object) => channel.send(JSON.stringify({ sessionId, ...frame }));
  const events: ChatEvent[] = [];
  let answers: Answer[] = [];
  let heard = (_event: ChatEvent) => {};
  channel.onFrame = (text) => {
    const frame = JSON.parse(text) as { type: string; event?: ChatEvent };
    if (frame.type !== "chat_event" || !frame.event?.seq) return;
    events.push(frame.event);
    if (frame.event.type === "interaction_request") respond(frame.event.payload, answers.shift());
    heard(frame.event);
  };
  send({
    type: "hello",
    protocolVersion: 1,
    interaction: { supported: true, enabled: true },
    subscriptions: [{ sessionId }],
  });

  function respond({ toolCallId: callId, interactionId }: Asked, answer?: Answer): void {
    if (answer) send({ type: "tool_interaction_response", callId, interactionId, ...answer });
  }
  const until = (type: ChatEvent["type"]) =>
    new Promise<void>((resolve) => {
      heard = (event) => event.type === type && resolve();
    });
  return {
    events,
    until,
    respond,
    say(text: string, ...next: Answer[]) {
      answers = next;
      send({ type: "user_message", text });
    },
    /** Says something and tells what came of its tool call. */
    async ask(text: string, ...next: Answer[]) {
      const ended = until("turn_end");
      this.say(text, ...next);
      await ended;
      return payloads(events, "tool_result").at(-1)?.result;
    },
  };
}

function payloads<Type extends ChatEvent["type"]>(events: ChatEvent[], type: Type) {
  return events
    .filter((event) => event.type === type)
    .map((event) => event.payload as EventPayload<Type>);
}

test("a server in memory talks through fetch and connect", async () => {
  const person = await sitDown(await start());
  const answer = { action: "submit", input: { answer: "blue" } };
  expect(await person.ask('/call ask_user {"question":"Which colour?"}', answer)).toEqual({
    ok: true,
    answer: "blue",
  });
  expect(payloads(person.events, "text").at(-1)?.text).toContain('"answer":"blue"');
});

test("a credential that is not good closes the channel", async () => {
  const channel = (await start()).connect("nonsense");
  const code = await new Promise((resolve) => {
    channel.onFrame = () => {};
    channel.onClose = resolve;
  });
  expect(code).toBe(4001);
});

test("who listens can hand out an address that signs the owner in once", async () => {
  const beckon = await start();
  await expect(beckon.signInUrl()).rejects.toThrow("Call listen first.");
  const { url } = await beckon.listen({ host: "127.0.0.1", port: 0 });
  const address = new URL(await beckon.signInUrl());
  expect(address.origin).toBe(url);
  const code = new URLSearchParams(address.hash.slice(1)).get("code") ?? "";
  const exchange = () => request(beckon, "/api/auth/exchange", { code });
  const signedIn = await beckon.credentials.exchangeCode(code);
  expect(signedIn?.who).toMatchObject({ kind: "person", principalId: "owner" });
  expect(await exchange()).toMatchObject({ code: "unauthorized" });
});

test("own tools and agents are there beside the built-in tools", async () => {
  const greet = defineTool<{ name: string }>({
    name: "greet",
    description: "Says hello",
    parameters: { type: "object" },
    handler: ({ name }) => `Hello ${name}`,
  });
  const beckon = await start({ tools: [greet], agents: [{ ...demoAgent, id: "mine" }] });
  const session = await request<SessionRecord>(beckon, "/api/sessions", {});
  expect(session.agent).toBe("mine");
  expect(await (await sitDown(beckon)).ask('/call greet {"name":"you"}')).toBe("Hello you");
});

test("a server that cannot start lets go of its directory", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "beckon-"));
  try {
    await expect(start({ dataDir, agents: [demoAgent, demoAgent] })).rejects.toThrow("Two agents");
    const beckon = await start({ dataDir });
    await expect(start({ dataDir })).rejects.toThrow("is in use by process");
    await beckon.close();
    await start({ dataDir });
  } finally {
    await Promise.all(open.map((beckon) => beckon.close()));
    await rm(dataDir, { recursive: true, force: true });
  }
});

test("a server that is closed in the middle of a heartbeat has nothing to complain about", async () => {
  const clock = createFakeClock();
  const warnings: unknown[] = [];
  const gate = new Gate();
  const beckon = await start({
    clock,
    log: { ...log, warn: (...warning: unknown[]) => void warnings.push(warning) },
    unstable_ports: (ports) => ({
      ...ports,
      store: {
        ...ports.store,
        async renew(...args) {
          await gate.pass();
          return ports.store.renew(...args);
        },
      },
    }),
  });
  void clock.advance(60_000);
  await gate.reached;
  await beckon.close();
  gate.open();
  await new Promise(setImmediate);
  expect(warnings).toEqual([]);
});

test("the sample plugin remembers an approval", async () => {
  const person = await sitDown(await start({ plugins: [EXAMPLES] }));
  const command = '/call demo_tools_delete_files {"files":["a","b"]}';
  const deleted = { ok: true, deleted: ["a", "b"] };
  expect(await person.ask(command, { action: "deny", reason: "not these" })).toEqual({
    ok: false,
    denied: true,
    reason: "not these",
  });
  expect(await person.ask(command, { action: "approve" })).toEqual(deleted);
  expect(await person.ask(command, { action: "approve", approvalScope: "session" })).toEqual(
    deleted,
  );
  expect(await person.ask(command)).toEqual(deleted);
  expect(payloads(person.events, "interaction_request")).toHaveLength(3);
});

test("the sample plugin asks again for an e-mail address, with what was typed", async () => {
  const person = await sitDown(await start({ plugins: [EXAMPLES] }));
  const typed = (email: string) => ({ action: "submit", input: { email } });
  const result = person.ask("/call demo_tools_collect_email", typed("me"), typed("me@example.com"));
  expect(await result).toEqual({ ok: true, email: "me@example.com" });
  expect(payloads(person.events, "interaction_request")[1]).toMatchObject({
    attempt: 2,
    error: "That does not look like an e-mail address.",
    fieldErrors: { email: expect.any(String) },
    inputSchema: { initialValues: { email: "me" } },
  });
});

test("the sample plugin goes on without an answer, which then arrives as a message", async () => {
  const clock = createFakeClock();
  const person = await sitDown(await start({ plugins: [EXAMPLES], clock }));
  const asked = person.until("interaction_request");
  person.say('/call demo_tools_ask_later {"question":"When?","waitSeconds":30}');
  await asked;
  const ended = person.until("turn_end");
  await clock.advance(30_000);
  await ended;
  expect(payloads(person.events, "tool_result")[0]?.result).toMatchObject({
    pending: true,
    queued: true,
  });
  const answered = person.until("turn_end");
  const [prompt] = payloads(person.events, "interaction_request");
  if (prompt) person.respond(prompt, { action: "submit", input: { answer: "tomorrow" } });
  await answered;
  expect(payloads(person.events, "user_message").at(-1)).toMatchObject({
    source: "late_answer",
    text: expect.stringContaining("tomorrow"),
  });
  expect(payloads(person.events, "text").at(-1)?.text).toContain("your answer has arrived");
});

test("after the clock was set back, a sign-in code of another process still signs in", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "beckon-"));
  const beckon = await start({ dataDir });
  const timeOfDay = Date.now.bind(Date);
  const days = (count: number) => count * 86_400_000;
  const set = vi.spyOn(Date, "now").mockImplementation(() => timeOfDay() - days(90));
  try {
    // A process that has just started knows nothing of another time.
    const clock = { ...systemClock, now: () => Date.now() };
    const store = openSqliteStore({ path: join(dataDir, "beckon.db"), clock });
    const code = await createCredentials({ store, ids: systemIds, clock }).createSigninCode();
    await store.close();
    const exchanged = await beckon.fetch(
      new Request("http://localhost/api/auth/exchange", {
        method: "POST",
        headers: { "content-type": "application/json", origin: "http://localhost" },
        body: JSON.stringify({ code }),
      }),
    );
    expect(exchanged.status).toBe(200);
    expect(exchanged.headers.get("set-cookie")).toContain(`Max-Age=${days(30) / 1_000}`);
  } finally {
    set.mockRestore();
    systemClock.now();
    await rm(dataDir, { recursive: true, force: true });
  }
});
