import { expect, test } from "vitest";
import { createClaudeAgent } from "../../src/agents/index.ts";
import { LIMITS } from "../../src/protocol/index.ts";
import { decision, PERMISSION, post, respond } from "./hook-calls.ts";
import { inEveryMode } from "./verifies.ts";
import { Watch } from "./watch.ts";
import { World } from "./world.ts";

const CLAUDE = { agents: [createClaudeAgent()] };

/** Asks, and hangs up when the prompt is there and the server has noticed that nobody listens. */
async function hangUp(world: World, watch: Watch, requestId: string) {
  const patience = new AbortController();
  const gone = fetch(`${world.node.url}/api/hooks/claude`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${world.owner}`,
      "content-type": "application/json",
      "x-request-id": requestId,
    },
    body: JSON.stringify(PERMISSION),
    signal: patience.signal,
  }).catch(() => {});
  const asked = await watch.prompt();
  patience.abort();
  await gone;
  await world.http("GET", "/api/sessions");
  await world.clock.settle();
  return asked;
}

inEveryMode("who comes back with the same id finds the same prompt", CLAUDE, async (world) => {
  const watch = await Watch.start(world);
  const asked = await hangUp(world, watch, "same");
  const again = post(world, PERMISSION, { "x-request-id": "same" });
  await respond(world, asked, { action: "approve" });
  expect(decision(await again)).toEqual({ behavior: "allow" });
  const late = await post(world, PERMISSION, { "x-request-id": "same" });
  expect(decision(late)).toEqual({ behavior: "allow" });
  const { body } = await world.http("GET", `/api/sessions/${asked.sessionId}`);
  expect(body.pendingCount).toBe(0);
  const log = await world.log(asked.sessionId);
  expect(log.filter(({ type }) => type === "interaction_request")).toHaveLength(1);
  const other = await post(world, { hook_event_name: 7 }, { "x-request-id": "same" });
  expect(other).toMatchObject({ status: 400 });
  const changed = { ...PERMISSION, tool_input: { command: "rm -rf /" } };
  expect(await post(world, changed, { "x-request-id": "same" })).toMatchObject({
    status: 409,
    body: { code: "request_changed" },
  });
});

inEveryMode("who hangs up for a minute withdraws the prompt", CLAUDE, async (world) => {
  const watch = await Watch.start(world);
  const asked = await hangUp(world, watch, "gone");
  await world.advance(59_000);
  const path = `/api/interactions/${asked.id}`;
  expect((await world.http("GET", path)).body.status).toBe("pending");
  await world.advance(2_000);
  expect((await world.http("GET", `${path}?wait=20`)).body.status).toBe("cancelled");
  const late = await post(world, PERMISSION, { "x-request-id": "gone" });
  expect(decision(late)).toMatchObject({
    behavior: "deny",
    message: expect.stringContaining("withdrawn"),
  });
});

inEveryMode("a server that stops decides nothing, and the prompt stays", CLAUDE, async (world) => {
  const watch = await Watch.start(world);
  const held = post(world, PERMISSION, { "x-request-id": "patient" });
  const asked = await watch.prompt();
  await world.crash();
  expect(await held).toMatchObject({ status: 503, body: { code: "store_unavailable" } });
  const again = post(world, PERMISSION, { "x-request-id": "patient" });
  await respond(world, asked, { action: "approve" });
  expect(decision(await again)).toEqual({ behavior: "allow" });
});

test("who is not back within a minute of a restart withdraws the prompt", async () => {
  await using world = await World.start(CLAUDE);
  const watch = await Watch.start(world);
  const lost = post(world, PERMISSION, { "x-request-id": "lost", "x-timeout-ms": "never" });
  const asked = await watch.prompt();
  await world.crash();
  await lost;
  await world.advance(59_000);
  const path = `/api/interactions/${asked.id}`;
  expect((await world.http("GET", path)).body.status).toBe("pending");
  await world.advance(2_000);
  expect((await world.http("GET", `${path}?wait=20`)).body.status).toBe("cancelled");
});

inEveryMode("a machine asks by hooks, and only people answer", CLAUDE, async (world) => {
  const watch = await Watch.start(world);
  const authorization = `Bearer ${await world.machine()}`;
  const held = post(world, PERMISSION, { authorization });
  const { id } = await watch.prompt();
  const path = `/api/interactions/${id}/respond`;
  expect((await world.http("POST", path, { action: "approve" }, { authorization })).status).toBe(
    403,
  );
  await respond(world, { id }, { action: "approve" });
  expect(decision(await held)).toEqual({ behavior: "allow" });
});

inEveryMode("a credential that ends lets nothing run", CLAUDE, async (world) => {
  const watch = await Watch.start(world);
  const holder = { kind: "machine", name: "script" } as const;
  const { id, token } = await world.credentials.createToken({ holder });
  const held = post(world, PERMISSION, { authorization: `Bearer ${token}` });
  await watch.prompt();
  await world.credentials.revokeToken(id);
  await world.advance(10_000);
  expect((await held).status).toBe(401);
});

inEveryMode(
  "an input of a megabyte is shown whole, and a larger body refused",
  CLAUDE,
  async (world) => {
    const watch = await Watch.start(world);
    const content = "x".repeat(1024 * 1024);
    const body = { ...PERMISSION, tool_name: "Write", tool_input: { file_path: "/a", content } };
    const held = post(world, body);
    const asked = await watch.prompt();
    const { request } = (await world.http("GET", `/api/interactions/${asked.id}`)).body;
    expect(request.toolInput).toEqual(body.tool_input);
    await respond(world, asked, { action: "approve" });
    expect(decision(await held)).toEqual({ behavior: "allow" });
    body.tool_input.content = "x".repeat(LIMITS.toolInputBytes);
    expect(await post(world, body)).toMatchObject({ status: 413, body: { code: "too_large" } });
  },
);

const REFUSED: [what: string, body: unknown][] = [
  ["no event", {}],
  ["an event that is no text", { ...PERMISSION, hook_event_name: 7 }],
  ["no tool", { ...PERMISSION, tool_name: undefined }],
  ["a tool without a name", { ...PERMISSION, tool_name: "" }],
  ["a name that is too long", { ...PERMISSION, tool_name: "x".repeat(201) }],
  ["a session that is too long", { ...PERMISSION, session_id: "x".repeat(201) }],
  ["a session that is no text", { ...PERMISSION, session_id: 7 }],
  ["a folder that is too long", { ...PERMISSION, cwd: "x".repeat(5_000) }],
  ["an input that is a list", { ...PERMISSION, tool_input: [1] }],
  ["an input that is a text", { ...PERMISSION, tool_input: "mkdir" }],
  ["no input", { ...PERMISSION, tool_input: undefined }],
  ["suggestions that are no list", { ...PERMISSION, permission_suggestions: { a: 1 } }],
  ["no questions", { ...PERMISSION, tool_name: "AskUserQuestion", tool_input: {} }],
  [
    "broken questions",
    { ...PERMISSION, tool_name: "AskUserQuestion", tool_input: { questions: "?" } },
  ],
  [
    "a question without choices",
    { ...PERMISSION, tool_name: "AskUserQuestion", tool_input: { questions: [{ question: "?" }] } },
  ],
  ["no JSON", "{"],
  ["a list", [PERMISSION]],
];

inEveryMode("what cannot be asked is refused in words, and asks nobody", CLAUDE, async (world) => {
  for (const [what, body] of REFUSED) {
    const reply = await post(world, body);
    expect(reply, what).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    expect(reply.body.error, what).toMatch(/^[A-Z].*/);
  }
  const asking = (headers: Record<string, string>) => post(world, PERMISSION, headers);
  for (const bad of ["a b", "x".repeat(65)]) {
    expect((await asking({ "x-request-id": bad })).status).toBe(400);
  }
  for (const bad of ["soon", "0", "-1", "1.5", "999", String(LIMITS.timeoutMaxMs + 1)]) {
    expect((await asking({ "x-timeout-ms": bad })).status, bad).toBe(400);
  }
  expect(await world.http("POST", "/api/hooks/nobody", PERMISSION)).toMatchObject({
    status: 404,
    body: { code: "not_found" },
  });
  expect((await world.http("POST", "/api/hooks/demo", PERMISSION)).status).toBe(404);
  expect((await asking({ authorization: "Bearer nobody" })).status).toBe(401);
  const { body } = await world.http("GET", "/api/interactions?status=pending");
  expect(body.interactions).toEqual([]);
});

inEveryMode("an event that asks for nothing gets an empty reply", CLAUDE, async (world) => {
  for (const hook_event_name of ["PostToolUse", "Stop", "constructor", "toString"]) {
    expect(await post(world, { hook_event_name, session_id: "s" })).toMatchObject({
      status: 200,
      body: {},
    });
  }
});
