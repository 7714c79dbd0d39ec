import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pass } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ServerProcess } from "../../process/server-process.ts";
import { type Era, McpClient } from "./clients.ts";

/* The limits of real clients, in their full length. */

let data: string;
let server: ServerProcess;
const clients: McpClient[] = [];
beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), "beckon-long-"));
  server = await ServerProcess.start(data);
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await server.end("SIGKILL");
  rmSync(data, { recursive: true, force: true });
});

interface Patience {
  era: Era;
  /** Every option of a call but what it hears of progress. */
  options: { timeout?: number; resetTimeoutOnProgress?: boolean };
  wantsProgress: boolean;
  /** After how many seconds somebody answers. */
  answeredAt: number;
  /** Whether the answer comes by `wait_for_answer`, or in the call itself. */
  isPending: boolean;
}

const SECOND = 1_000;

test.concurrent.each<[string, Patience]>([
  [
    "60 seconds and says nothing of progress",
    { era: "2025-11-25", options: {}, wantsProgress: false, answeredAt: 70, isPending: true },
  ],
  [
    "60 seconds, anew with each progress",
    {
      era: "2025-11-25",
      options: { resetTimeoutOnProgress: true },
      wantsProgress: true,
      answeredAt: 70,
      isPending: false,
    },
  ],
  [
    "60 seconds and calls again by itself",
    { era: "2026-07-28", options: {}, wantsProgress: false, answeredAt: 70, isPending: false },
  ],
  [
    "300 seconds, whatever it hears of progress",
    {
      era: "2025-11-25",
      options: { timeout: 300 * SECOND },
      wantsProgress: true,
      answeredAt: 310,
      isPending: true,
    },
  ],
])(
  "a client that waits for %s is answered",
  async (name, patience) => {
    const headers = { authorization: `Bearer ${server.token}` };
    const client = await McpClient.connect(patience.era, { url: server.url, headers });
    clients.push(client);
    const options = {
      ...patience.options,
      ...(patience.wantsProgress ? { onprogress: () => {} } : {}),
    };
    const question = `For a client of ${name}?`;
    const answering = pass(patience.answeredAt * SECOND).then(async () => {
      const { interactions } = (await server.http("GET", "/api/interactions")).body;
      const { id } = interactions.find(({ request }: any) => request.prompt === question);
      await server.http("POST", `/api/interactions/${id}/respond`, {
        action: "submit",
        input: { answer: "at last" },
      });
    });
    let reply = (await client.ask("ask", { question }, options)) as any;
    expect(reply.status === "pending").toBe(patience.isPending);
    while (reply.status === "pending") {
      reply = await client.ask("wait_for_answer", { id: reply.id }, options);
    }
    expect(reply).toEqual({ status: "answered", answer: "at last" });
    await answering;
  },
  600 * SECOND,
);
