import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { releaseAgent } from "../../examples/agent/agent.js";
import {
  createClaudeAgent,
  createClaudeCliAgent,
  createCodexAgent,
} from "../../src/agents/index.ts";
import { type Beckon, createBeckon, demoAgent } from "../../src/beckon.ts";
import type { ChatEvent, InteractionRecord } from "../../src/protocol/index.ts";
import { readPage, rowsOf, sectionOf } from "../support/markdown.ts";

const dataDir = mkdtempSync(join(tmpdir(), "beckon-agent-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const open = () => createBeckon({ dataDir, agents: [releaseAgent] });

async function ask<Reply>(beckon: Beckon, path: string, body?: unknown): Promise<Reply> {
  const reply = await beckon.fetch(
    new Request(`http://localhost/api${path}`, {
      headers: {
        authorization: `Bearer ${beckon.ownerToken}`,
        "content-type": "application/json",
      },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    }),
  );
  expect(reply.status).toBeLessThan(300);
  return (await reply.json()) as Reply;
}

test("the agent of the guide is asked, answered after a restart, and does nothing twice", async () => {
  let beckon = await open();
  try {
    // Who is connected in process counts as there.
    const channel = beckon.connect(beckon.ownerToken);
    const welcome = new Promise((resolve) => (channel.onFrame = resolve));
    channel.send('{"type":"hello","protocolVersion":1}');
    await welcome;
    const { id } = await ask<{ id: string }>(beckon, "/sessions", {});
    const waiting = async () =>
      (await ask<{ interactions: InteractionRecord[] }>(beckon, "/interactions")).interactions;
    await ask(beckon, `/sessions/${id}/messages`, { content: "release" });
    await expect.poll(waiting).toHaveLength(1);
    await beckon.close();

    beckon = await open();
    const [prompt] = await waiting();
    const answer = { action: "submit", input: { answer: "1.2.0" } };
    await ask(beckon, `/interactions/${prompt?.id}/respond`, answer);
    const said = async () => {
      const { events } = await ask<{ events: ChatEvent[] }>(beckon, `/sessions/${id}/events`);
      return events.flatMap(({ type, payload }) =>
        type === "text" ? [payload.text] : type === "turn_end" ? [payload.status] : [],
      );
    };
    await expect.poll(said).toEqual(["You said: release", "I would release 1.2.0.", "completed"]);
  } finally {
    await beckon.close();
  }
});

test("what the guide says of each agent is what it says of itself", () => {
  const table = rowsOf(
    sectionOf(readPage("docs/guide/agents.md"), "## What each asks, and what it survives"),
  );
  const row = (name: string) => {
    const found = table.find(([what]) => what === name);
    return found?.slice(1, 5).map((cell) => cell.startsWith("yes"));
  };
  const agents = [demoAgent, createClaudeAgent(), createClaudeCliAgent(), createCodexAgent()];
  const capabilities = agents.map((agent) => agent.capabilities);
  expect(row("messages can join a turn (`steer`)")).toEqual(capabilities.map(({ steer }) => steer));
  expect(row("has permission modes")).toEqual(
    agents.map((agent) => agent.offers?.().modes !== undefined),
  );
  expect(row("asks for permission")?.[3]).toBe(!capabilities[3]?.unasked);
});
