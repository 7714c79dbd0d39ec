import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BIN, ServerProcess } from "../../process/server-process.ts";
import { blocksOf, readPage } from "../../support/markdown.ts";
import { ERAS, type Era, McpClient } from "./clients.ts";

let data: string;
let server: ServerProcess;
let clients: McpClient[] = [];
beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), "beckon-stdio-"));
  server = await ServerProcess.start(data);
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await server.end("SIGKILL");
  rmSync(data, { recursive: true, force: true });
});

/** As `docs/guide/mcp.md` tells other programs to start it. */
function wanted(): { command: string; args: string[] } {
  const [text = ""] = blocksOf(readPage("docs/guide/mcp.md"), "json");
  const { beckon } = JSON.parse(text).mcpServers;
  expect(beckon.command).toBe("beckon");
  return { command: process.execPath, args: [BIN, ...beckon.args] };
}

async function connect(era: Era, ...more: string[]): Promise<McpClient> {
  const { command, args } = wanted();
  const env = { PATH: process.env["PATH"] ?? "", BECKON_DATA: data };
  const client = await McpClient.connect(era, { command, args: [...args, ...more], env });
  clients.push(client);
  return client;
}

async function waiting(): Promise<{ id: string }[]> {
  return (await server.http("GET", "/api/interactions")).body.interactions;
}

async function asked(): Promise<{ id: string }> {
  await expect.poll(waiting).toHaveLength(1);
  return (await waiting())[0] as { id: string };
}

const answer = (id: string, text: string) =>
  server.http("POST", `/api/interactions/${id}/respond`, {
    action: "submit",
    input: { answer: text },
  });

describe.each(ERAS)("a client of %s on stdio", (era) => {
  test("is answered though the server was killed meanwhile, and nobody is asked twice", async () => {
    const client = await connect(era);
    expect(await client.toolNames()).toContain("ask");
    const asking = client.ask("ask", { question: "Still there?" });
    const { id } = await asked();
    await server.end("SIGKILL");
    server = await ServerProcess.start(data);
    expect((await asked()).id).toBe(id);
    await answer(id, "yes");
    expect(await asking).toEqual({ status: "answered", answer: "yes" });
    expect(await waiting()).toEqual([]);
  });
});

test("a `beckon mcp` that was killed and started anew finds what was asked", async () => {
  const [client, question] = [await connect("2025-11-25"), { question: "Who goes there?" }];
  const asking = client.ask("ask", question);
  const { id } = await asked();
  process.kill(client.pid, "SIGKILL");
  await expect(asking).rejects.toThrow("onnection closed");
  const next = await connect("2025-11-25");
  const again = next.ask("ask", question);
  expect((await asked()).id).toBe(id);
  await answer(id, "a friend");
  expect(await again).toEqual({ status: "answered", answer: "a friend" });
});

test("a client that says how long it waits hears in that time that it is pending", async () => {
  const client = await connect("2025-11-25", "--wait", "1s");
  const pending = (await client.ask("ask", { question: "Soon?" })) as { id: string };
  expect(pending).toEqual({ status: "pending", id: (await asked()).id });
  await answer(pending.id, "now");
  expect(await client.ask("wait_for_answer", { id: pending.id })).toMatchObject({ answer: "now" });
});

test("without a server a client is told so, and how to start one", async () => {
  await server.end("SIGKILL");
  await expect(connect("2025-11-25")).rejects.toThrow(
    /Start one with: beckon serve|cannot be reached/,
  );
});
