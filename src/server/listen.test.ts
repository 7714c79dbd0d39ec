import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect as netConnect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { startFakeServer } from "../../test/support/fake-server.ts";
import { LIMITS, type SessionRecord } from "../protocol/index.ts";
import type { Listener } from "./listen.ts";

const open: Listener[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((listener) => listener.close()));
});

async function start(...args: Parameters<typeof startFakeServer>) {
  const started = await startFakeServer(...args);
  const listener = await started.server.listen({ host: "127.0.0.1", port: 0 });
  open.push(listener);
  return { ...started, listener, ws: listener.url.replace("http", "ws") };
}

/** What an upgrade comes to: its HTTP status and code, or `open`. */
async function upgrade(url: string, headers: Record<string, string>): Promise<unknown> {
  const socket = new WebSocket(url, { headers });
  return new Promise((resolve) => {
    socket.on("open", () => {
      socket.close();
      resolve("open");
    });
    socket.on("unexpected-response", (_request, response) => {
      let body = "";
      response.on("data", (chunk: Buffer) => (body += chunk.toString()));
      response.on("end", () => {
        resolve([response.statusCode, (JSON.parse(body) as { code: string }).code]);
      });
    });
    socket.on("error", () => {});
  });
}

async function connect(url: string, token: string) {
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } });
  const frames: { type: string }[] = [];
  socket.on("message", (data: Buffer) =>
    frames.push(JSON.parse(data.toString()) as { type: string }),
  );
  socket.on("error", () => {});
  const closed = once(socket, "close").then(([code]) => code as number);
  await once(socket, "open");
  const next = async (type: string) => {
    for (;;) {
      const found = frames.find((frame) => frame.type === type);
      if (found) return found;
      await once(socket, "message");
    }
  };
  const hello = async () => {
    socket.send('{"type":"hello","protocolVersion":1}');
    await next("welcome");
  };
  return { socket, frames, closed, next, hello };
}

/** Sends the text and keeps its own half open; gives what came back when the server has hung up. */
async function speak(url: string, text: string): Promise<string> {
  const socket = netConnect({
    port: Number(new URL(url).port),
    host: "127.0.0.1",
    allowHalfOpen: true,
  });
  let heard = "";
  socket.on("data", (data) => (heard += data.toString()));
  socket.write(text);
  await once(socket, "end");
  // Whoever has only ended its own half still listens, and would take this without a word.
  const cut = new Promise((resolve) => socket.on("error", resolve).on("close", resolve));
  const say = () => {
    if (!socket.destroyed) socket.write("more", () => setImmediate(say));
  };
  say();
  await cut;
  return heard;
}

describe("the upgrade", () => {
  test("that is refused leaves no socket open, though the client keeps its half", async () => {
    const { listener } = await start();
    const host = new URL(listener.url).host;
    const heard = await speak(
      listener.url,
      `GET /ws HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    );
    expect(heard).toContain("HTTP/1.1 401");
    expect(heard).toContain('"code":"unauthorized"');
  });

  test("to anything but a WebSocket is a plain request, with its body", async () => {
    const { listener, core, person } = await start();
    const head = [
      `Host: ${new URL(listener.url).host}`,
      `Authorization: Bearer ${person.token}`,
      "Connection: Upgrade, HTTP2-Settings",
      "Upgrade: h2c",
      "HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA",
    ].join("\r\n");
    const offer = (line: string, more = "") =>
      speak(listener.url, `${line} HTTP/1.1\r\n${head}\r\n${more}`);
    expect(await offer("GET /api/health", "\r\n")).toMatch(/^HTTP\/1.1 200 .*"ok":true/s);
    expect(await offer("GET /ws", "\r\n")).toMatch(/^HTTP\/1.1 404 /);
    const body = JSON.stringify({ title: "x".repeat(150) });
    const about = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    expect(await offer("POST /api/sessions", about + body)).toMatch(/^HTTP\/1.1 201 /);
    expect(core.calls).toEqual([`createSession:${"x".repeat(150)}`]);
    // The answer says that the line closes; a second request that was sent ahead gets none.
    const ahead = `\r\nPOST /api/sessions HTTP/1.1\r\n${head}\r\n${about}${body}`;
    expect((await offer("GET /api/health", ahead)).match(/HTTP\/1.1/g)).toHaveLength(1);
  });

  test("checks Host, Origin and credential, and answers with HTTP", async () => {
    const { ws, listener, person, credentials } = await start();
    const authorization = `Bearer ${person.token}`;
    const own = listener.url;
    const code = await credentials.createSigninCode("owner");
    const cookie = `beckon=${(await credentials.exchangeCode(code))?.token}`;
    const rows: [Record<string, string>, unknown][] = [
      [{ authorization }, "open"],
      [{ authorization, origin: own }, "open"],
      [{ cookie, origin: own }, "open"],
      [{ cookie }, [403, "forbidden_origin"]],
      [{ cookie, origin: "null" }, [403, "forbidden_origin"]],
      [{ authorization, origin: "http://evil.example" }, [403, "forbidden_origin"]],
      [{ authorization, host: "evil.example" }, [403, "forbidden_host"]],
      [{}, [401, "unauthorized"]],
      [{ authorization: "Bearer nobody" }, [401, "unauthorized"]],
    ];
    for (const [headers, expected] of rows) {
      expect([headers, await upgrade(`${ws}/ws`, headers)]).toEqual([headers, expected]);
    }
    expect(await upgrade(`${ws}/elsewhere`, { authorization })).toEqual([404, "not_found"]);
    expect(await upgrade(`${ws}/ws?token=${person.token}`, {})).toEqual([401, "unauthorized"]);
  });
});

describe("a socket", () => {
  test("carries frames, refuses binary ones and stays", async () => {
    const { ws, person } = await start();
    const { socket, hello, next } = await connect(`${ws}/ws`, person.token);
    await hello();
    socket.send(Buffer.from("{}"), { binary: true });
    expect(await next("error")).toMatchObject({ code: "invalid_request" });
    socket.send('{"type":"ping"}');
    await next("pong");
    socket.close();
  });

  test("carries frames of every size, and letters of every alphabet", async () => {
    const { ws, person, core } = await start();
    const { socket, hello } = await connect(`${ws}/ws`, person.token);
    await hello();
    const frame = (title: string) => ({ type: "session_updated", session: { title } });
    const bare = JSON.stringify(frame("")).length;
    const titles = [125, 126, 127, 65_535, 65_536].map((size) => "x".repeat(size - bare));
    for (const title of [...titles, "é日🙂".repeat(20), "é日🙂".repeat(20_000)]) {
      const came = once(socket, "message");
      for (const watcher of core.watchers) watcher.sessionUpdated?.({ title } as SessionRecord);
      const [data] = (await came) as [Buffer];
      expect(JSON.parse(data.toString())).toEqual(frame(title));
    }
    socket.close();
  });

  test.each([LIMITS.messageBytes + 1, 8 * LIMITS.messageBytes])(
    "is closed with 4009 for a message of %d bytes",
    async (bytes) => {
      const { ws, person } = await start();
      const { socket, hello, closed } = await connect(`${ws}/ws`, person.token);
      await hello();
      socket.send("x".repeat(bytes));
      expect(await closed).toBe(4009);
    },
  );

  test("is closed with 4001 when its token is revoked", async () => {
    const { ws, person, credentials, clock } = await start();
    const { hello, closed } = await connect(`${ws}/ws`, person.token);
    await hello();
    await credentials.revokeToken(person.id);
    await clock.advance(500);
    expect(await closed).toBe(4001);
  });

  test("that does not read is closed, and the server keeps little for it", async () => {
    const { ws, person, core } = await start();
    const { socket, hello } = await connect(`${ws}/ws`, person.token);
    await hello();
    socket.send('{"type":"subscribe","sessionId":"s1"}');
    await expect.poll(() => core.openSubscriptions()).toBe(1);
    socket.pause();
    for (let sent = 0; sent < 400 && core.openSubscriptions() > 0; sent++) {
      core.append("x".repeat(60_000));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(core.openSubscriptions()).toBe(0);
    socket.terminate();
  });

  test("that no longer answers pings is cut", async () => {
    const { ws, person, clock, core } = await start();
    const { socket, hello, closed } = await connect(`${ws}/ws`, person.token);
    await hello();
    socket.pause();
    await clock.advance(30_000);
    await clock.advance(30_000);
    await expect.poll(() => core.watchers.size).toBe(0);
    socket.terminate();
    await closed;
  });
});

describe("over the wire", () => {
  test("a wrong Host is refused, whatever it looks like", async () => {
    const { listener } = await start();
    for (const host of ["evil.example", "127.0.0.1", `127.0.0.1:${listener.port}/../x`, "a b"]) {
      const sent = httpRequest(`${listener.url}/api/health`, { headers: { host } });
      sent.end();
      const [response] = (await once(sent, "response")) as [import("node:http").IncomingMessage];
      response.resume();
      expect([host, response.statusCode]).toEqual([host, 403]);
    }
  });

  test("a body that is too large is 413", async () => {
    const { listener, person } = await start();
    const answer = await fetch(`${listener.url}/api/sessions`, {
      method: "POST",
      headers: { authorization: `Bearer ${person.token}`, "content-type": "application/json" },
      body: `{"title":"${"x".repeat(LIMITS.messageBytes)}"}`,
    });
    expect([answer.status, (await answer.json()) as unknown]).toMatchObject([
      413,
      { code: "too_large" },
    ]);
  });

  test("an event stream tells when its reader hangs up", async () => {
    const { listener, person, core } = await start();
    const caller = new AbortController();
    const headers = { authorization: `Bearer ${person.token}`, accept: "text/event-stream" };
    const { signal } = caller;
    await fetch(`${listener.url}/api/sessions/s1/events`, { headers, signal });
    expect(core.presence).toMatchObject([{ open: true }]);
    caller.abort();
    await expect.poll(() => core.presence[0]?.open).toBe(false);
  });

  test("a held wait ends when its caller hangs up", async () => {
    let aborted = false;
    let waiting = false;
    const { listener, person } = await start({
      interaction: (_who, _id, wait) =>
        new Promise((_resolve, reject) => {
          waiting = true;
          wait?.gone?.hear(() => {
            aborted = true;
            reject(new Error("gone"));
          });
        }),
    });
    const caller = new AbortController();
    const headers = { authorization: `Bearer ${person.token}` };
    const held = fetch(`${listener.url}/api/interactions/i1?wait=60`, {
      headers,
      signal: caller.signal,
    });
    held.catch(() => {});
    await expect.poll(() => waiting).toBe(true);
    caller.abort();
    await expect.poll(() => aborted).toBe(true);
  });
});

describe("starting and stopping", () => {
  test("another machine's address needs names that it may be reached by", async () => {
    const { server } = await startFakeServer();
    await expect(server.listen({ host: "0.0.0.0", port: 0 })).rejects.toThrow("--allow-host");
    const named = await startFakeServer({}, ["box.lan"]);
    const listener = await named.server.listen({ host: "0.0.0.0", port: 0 });
    open.push(listener);
    expect(listener.url).toBe(`http://127.0.0.1:${listener.port}`);
  });

  test("a port in use is told in a sentence", async () => {
    const { listener } = await start();
    const { server } = await startFakeServer();
    await expect(server.listen({ host: "127.0.0.1", port: listener.port })).rejects.toThrow(
      "in use",
    );
  });

  test("closing says goodbye to sockets, ends streams and held calls, and is quick", async () => {
    const calls: string[] = [];
    const { ws, person, listener } = await start({
      callTool: (_who, { toolName }) => {
        calls.push(toolName);
        return new Promise(() => {});
      },
    });
    const { hello, closed } = await connect(`${ws}/ws`, person.token);
    await hello();
    const headers = { authorization: `Bearer ${person.token}`, "x-session-id": "s1" };
    const stream = await fetch(`${listener.url}/api/sessions/s1/events`, {
      headers: { ...headers, accept: "text/event-stream" },
    });
    const call = fetch(`${listener.url}/api/plugins/files/operations/read`, {
      method: "POST",
      headers,
    });
    await expect.poll(() => calls).toEqual(["files_read"]);
    const began = performance.now();
    await listener.close();
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(await closed).toBe(1001);
    expect(await stream.text()).toBe("");
    expect((await call).status).toBe(503);
  });
});
