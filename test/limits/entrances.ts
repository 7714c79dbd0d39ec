import { Client, type Frame } from "../scenarios/client.ts";
import type { World } from "../scenarios/world.ts";

/** What came back over HTTP, in one word or two. */
export function replyOf({ status, body }: { status: number; body: any }): string {
  if (status >= 400) return `${status} ${body.code}`;
  return body?.ok === false ? body.code : "accepted";
}

/** What came back to a client: a frame that says yes or no, or the end of the connection. */
export async function heardBy(client: Client, match: (frame: Frame) => boolean): Promise<string> {
  try {
    const frame = await client.until((one) => one.type === "error" || match(one));
    if (frame.type === "error" || frame["ok"] === false) return `error ${frame["code"]}`;
    return "accepted";
  } catch (error) {
    if (client.closed) return `closed ${client.closed.code}`;
    throw error;
  }
}

const HELLO = { interaction: { supported: true, enabled: true } };

/** The two ways to speak frames. */
export const LINES: Record<string, (world: World) => Promise<Client>> = {
  "a WebSocket": (world) => world.person(HELLO),
  "the direct channel": (world) => world.direct(HELLO),
};

/** The same two, before the hello. */
export const SILENT_LINES: Record<string, (world: World) => Promise<Client>> = {
  "a WebSocket": (world) => world.silent(),
  "the direct channel": (world) => world.direct(),
};

/** Whoever has the token, in the process of the server. */
export function connectDirectly(world: World, token: string, hello = {}): Promise<Client> {
  return Client.over(world.node.connect(token), hello);
}

export async function withLine<Result>(
  opening: Promise<Client>,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await opening;
  try {
    return await work(client);
  } finally {
    client.terminate();
  }
}

/** A door through which JSON text comes in: what a message needs there, and how it is sent. */
export interface Entrance {
  name: string;
  kind: "http" | "frames";
  message(sessionId: string, text: string): Record<string, unknown>;
  send(world: World, sessionId: string, json: string): Promise<string>;
}

const toSession = (sessionId: string) => `/api/sessions/${sessionId}/messages`;

export const ENTRANCES: Entrance[] = [
  {
    name: "HTTP",
    kind: "http",
    message: (_sessionId, content) => ({ content }),
    send: async (world, sessionId, json) =>
      replyOf(await world.http("POST", toSession(sessionId), json)),
  },
  {
    name: "HTTP that does not say how long it is",
    kind: "http",
    message: (_sessionId, content) => ({ content }),
    async send(world, sessionId, json) {
      const response = await fetch(world.node.url + toSession(sessionId), {
        method: "POST",
        headers: { authorization: `Bearer ${world.owner}`, "content-type": "application/json" },
        body: new Blob([json]).stream(),
        duplex: "half",
      } as RequestInit);
      return replyOf({ status: response.status, body: await response.json() });
    },
  },
  ...Object.entries(LINES).map(([name, open]): Entrance => ({
    name,
    kind: "frames",
    message: (sessionId, text) => ({ type: "user_message", sessionId, text }),
    send: (world, _sessionId, json) =>
      withLine(open(world), async (client) => {
        client.send(json);
        return heardBy(client, (frame) => frame.type === "ack");
      }),
  })),
];
