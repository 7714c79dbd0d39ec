import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocket } from "ws";
import { BreakableChannels } from "../../test/support/breakable-channels.ts";
import { openBreakableLine } from "../../test/support/breakable-line.ts";
import { type Beckon, createBeckon, type ToolDefinition } from "../beckon.ts";
import { createFakeClock, transportContract, type TransportSubject } from "../testing/index.ts";
import {
  createDirectTransport,
  createHttpTransport,
  createWebSocketTransport,
  type Transport,
} from "./index.ts";
import { systemTimers, type Timers } from "./timers.ts";

/** Real time, but nobody waits long for the next try; counts what is armed. */
function createQuickTimers(): Timers & { armed(): number } {
  const armed = new Set<object>();
  return {
    ...systemTimers,
    timer(ms, callback) {
      const one = {};
      armed.add(one);
      const stop = systemTimers.timer(ms < 5_000 ? Math.min(ms, 5) : ms, () => {
        armed.delete(one);
        callback();
      });
      return () => {
        armed.delete(one);
        stop();
      };
    },
    armed: () => armed.size,
  };
}

interface Way {
  url: string;
  channels: BreakableChannels;
  timers: Timers;
  token: string;
}

/** A whole server on real files and sockets, with something between it and its clients to break. */
async function open(
  tools: ToolDefinition[],
  connect: (way: Way) => Transport,
): Promise<TransportSubject> {
  const directory = mkdtempSync(join(tmpdir(), "beckon-transport-"));
  const line = await openBreakableLine();
  const timers = createQuickTimers();
  const clock = createFakeClock();
  let beckon: Beckon;
  const channels = new BreakableChannels(() => beckon);
  const up = async () => {
    beckon = await createBeckon({
      dataDir: join(directory, "data"),
      tools,
      clock,
      allowedHosts: [`127.0.0.1:${line.port}`],
      log: { info: () => {}, warn: () => {}, error: () => {} },
    });
    line.target = (await beckon.listen({ host: "127.0.0.1", port: 0 })).port;
    channels.isUp = true;
  };
  const down = async () => {
    line.target = undefined;
    channels.isUp = false;
    await beckon.close();
  };
  await up();
  return {
    connect: (token = beckon.ownerToken) =>
      connect({ url: `http://127.0.0.1:${line.port}`, channels, timers, token }),
    witness: () => createDirectTransport({ ...beckon, token: beckon.ownerToken }),
    mute() {
      line.mute();
      channels.mute();
    },
    cut() {
      line.cut();
      channels.cut();
    },
    down,
    up,
    async token() {
      const holder = { kind: "person", name: "Guest" } as const;
      const { token, id } = await beckon.credentials.createToken({ holder });
      return { token, revoke: async () => void (await beckon.credentials.revokeToken(id)) };
    },
    passTime: (ms) => clock.advance(ms),
    armedTimers: () => timers.armed(),
    async close() {
      await beckon.close();
      await line.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

transportContract("WebSocket", (tools) =>
  open(tools, ({ url, token, timers }) =>
    createWebSocketTransport({ url, token, timers, WebSocket }),
  ),
);

transportContract("HTTP", (tools) =>
  open(tools, ({ url, token, timers }) => createHttpTransport({ url, token, timers })),
);

transportContract("direct", (tools) =>
  open(tools, ({ channels, token, timers }) =>
    createDirectTransport({ fetch: channels.fetch, connect: channels.connect, token, timers }),
  ),
);
