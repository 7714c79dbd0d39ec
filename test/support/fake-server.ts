import type { Core } from "../../src/core/index.ts";
import type { FrameChannel } from "../../src/protocol/index.ts";
import { createCredentials, createServer, OWNER_ID } from "../../src/server/index.ts";
import type { Page } from "../../src/server/page/index.ts";
import { openSqliteStore } from "../../src/store/index.ts";
import { createFakeClock } from "../../src/testing/index.ts";
import { createFakeCore, ids, silentLog } from "./fake-core.ts";

/** Stands for the built page, which these tests do not need. */
const smallPage: Page = {
  file: (path) =>
    Promise.resolve(
      path === "/" ? { type: "text/html", body: new Uint8Array(), immutable: false } : undefined,
    ),
};

/** The server over a fake core and a real store, with a person's and a machine's token. */
export async function startFakeServer(
  overrides: Partial<Core> = {},
  allowHosts: string[] = [],
  page: Page = smallPage,
) {
  const clock = createFakeClock();
  const store = openSqliteStore({ path: ":memory:", clock });
  const credentials = createCredentials({ store, ids, clock });
  await credentials.ensureOwner();
  const person = await credentials.createToken({ holder: { principalId: OWNER_ID } });
  const machine = await credentials.createToken({ holder: { kind: "machine", name: "bot" } });
  const core = createFakeCore(overrides);
  const plugins = {
    list: () => [{ id: "files", version: "1", operations: [] }],
    toolFor: (plugin: string, operation: string) =>
      plugin === "files" && operation === "read" ? "files_read" : undefined,
  };
  const version = "9.9.9";
  const log = silentLog;
  const parts = { core, credentials, plugins, clock, ids, log, version, allowHosts, page };
  const server = createServer(parts);

  /** Sends as the person, with JSON, unless told otherwise. */
  const request = (path: string, init: RequestInit & { token?: string | null } = {}) => {
    const { token = person.token, ...rest } = init;
    const headers = new Headers(init.headers);
    if (token !== null) headers.set("authorization", `Bearer ${token}`);
    if (init.body && !headers.has("content-type")) headers.set("content-type", "application/json");
    return server.fetch(new Request(`http://localhost${path}`, { ...rest, headers }));
  };
  return { server, core, credentials, clock, store, person, machine, request };
}

type Frame = Record<string, unknown> & { type: string };

/** Collects what arrives at a client's end of a channel. */
export function listenTo(channel: FrameChannel) {
  const frames: Frame[] = [];
  const closed: { code?: number } = {};
  channel.onFrame = (text) => frames.push(JSON.parse(text) as Frame);
  channel.onClose = (code) => {
    closed.code = code;
  };
  const send = (frame: object) => channel.send(JSON.stringify(frame));
  const hello = (more: object = {}) => send({ type: "hello", protocolVersion: 1, ...more });
  const of = (type: string) => frames.filter((frame) => frame.type === type);
  return { frames, closed, send, hello, of };
}
