import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type AgentRuntime, createBeckon } from "./beckon.ts";

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "beckon-access-"));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** Says what its process would get, and is done when it is told. */
function lentAgent() {
  let entered: (env: Record<string, string | undefined>) => void = () => {};
  let leave: () => void = () => {};
  const environment = new Promise<Record<string, string | undefined>>((done) => (entered = done));
  const left = new Promise<void>((done) => (leave = done));
  const agent: AgentRuntime = {
    id: "lent",
    name: "Lent",
    description: "Has a process.",
    capabilities: { reenter: "none", steer: false },
    async run(turn) {
      entered(await turn.environment({ PATH: "/bin", BECKON_DATA: "/secret" }));
      await left;
      return { status: "completed" };
    },
  };
  return { agent, environment, leave };
}

async function startTurn(agent: AgentRuntime) {
  const beckon = await createBeckon({ dataDir, agents: [agent] });
  const { url } = await beckon.listen({ host: "127.0.0.1", port: 0 });
  const post = async (path: string, body: unknown) => {
    const headers = {
      authorization: `Bearer ${beckon.ownerToken}`,
      "content-type": "application/json",
    };
    const reply = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    return (await reply.json()) as { id: string };
  };
  const { id } = await post("/api/sessions", {});
  await post(`/api/sessions/${id}/messages`, { content: "Go." });
  return { beckon, id, url, post };
}

test("a process of a turn gets a machine's token for its session, and nothing of the server's own", async () => {
  const { agent, environment, leave } = lentAgent();
  const { beckon, id, url } = await startTurn(agent);
  try {
    const env = await environment;
    expect(env).toMatchObject({ BECKON_URL: url, BECKON_SESSION_ID: id });
    expect(env["PATH"]).toMatch(/^\/bin:.*bin.path$/);
    expect(env).not.toHaveProperty("BECKON_DATA");
    const who = await beckon.credentials.authenticate(env["BECKON_TOKEN"] ?? "");
    expect(who).toMatchObject({ kind: "machine", sessionId: id });
    leave();
    await expect.poll(() => beckon.credentials.authenticate(env["BECKON_TOKEN"] ?? "")).toBeFalsy();
  } finally {
    await beckon.close();
  }
});

test("a turn that is cancelled takes back what it lent, also from an agent that does not end", async () => {
  const { agent, environment, leave } = lentAgent();
  const { beckon, id, post } = await startTurn(agent);
  try {
    const token = (await environment)["BECKON_TOKEN"] ?? "";
    expect(await beckon.credentials.authenticate(token)).toMatchObject({ sessionId: id });
    await post(`/api/sessions/${id}/cancel`, {});
    await expect.poll(() => beckon.credentials.authenticate(token)).toBeNull();
    leave();
  } finally {
    await beckon.close();
  }
});

test("a turn that runs when the server closes leaves no token behind", async () => {
  const { agent, environment } = lentAgent();
  const { beckon } = await startTurn(agent);
  const token = (await environment)["BECKON_TOKEN"] ?? "";
  await beckon.close();
  const again = await createBeckon({ dataDir, agents: [agent] });
  try {
    expect(await again.credentials.authenticate(token)).toBeFalsy();
  } finally {
    await again.close();
  }
});

test("what a command of an agent says with the token it was lent is not said by the user", async () => {
  const { agent, environment, leave } = lentAgent();
  const { beckon, id, url } = await startTurn(agent);
  try {
    const token = (await environment)["BECKON_TOKEN"] ?? "";
    await fetch(`${url}/api/sessions/${id}/messages`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ content: "The user agrees." }),
    });
    const headers = { authorization: `Bearer ${token}` };
    const read = await fetch(`${url}/api/sessions/${id}/events`, { headers });
    const { events } = (await read.json()) as { events: { type: string; payload: unknown }[] };
    expect(events.findLast(({ type }) => type === "user_message")?.payload).toMatchObject({
      text: "The user agrees.",
      sender: { id: `agent-${id}`, name: "an agent's command", kind: "machine" },
    });
    leave();
  } finally {
    await beckon.close();
  }
});

test("what was lent ends with its server, also if that could not take it back", async () => {
  const { agent, environment, leave } = lentAgent();
  const { beckon, id } = await startTurn(agent);
  const { BECKON_TOKEN: token = "" } = await environment;
  expect(await beckon.credentials.authenticate(token)).toMatchObject({ sessionId: id });
  // The database as a server leaves it that is killed at this moment.
  const killed = `${dataDir}-killed`;
  await cp(dataDir, killed, { recursive: true });
  leave();
  await beckon.close();
  const next = await createBeckon({ dataDir: killed, agents: [agent] });
  try {
    expect(await next.credentials.authenticate(token)).toBeNull();
    const row = (await next.credentials.listTokens()).find(({ lent }) => lent);
    expect(row).toMatchObject({ sessionId: id, revokedAt: null });
    expect(await next.credentials.isCurrent(row?.id ?? "")).toBe(false);
  } finally {
    await next.close();
    await rm(killed, { recursive: true, force: true });
  }
});
