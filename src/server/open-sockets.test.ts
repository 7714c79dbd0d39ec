import { once } from "node:events";
import { connect as netConnect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { MAY_LACK } from "../../test/support/depth.ts";
import { startFakeServer } from "../../test/support/fake-server.ts";
import { type ConnectionLimits, CONNECTIONS } from "../protocol/index.ts";
import type { Listener } from "./listen.ts";
import type { Page } from "./page/index.ts";

const open: Listener[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(open.splice(0).map((listener) => listener.close()));
});

/** A page whose files never come: whoever asks for one is being answered for ever. */
function endlessPage() {
  let asked = 0;
  const page: Page = {
    file: () => {
      asked++;
      return new Promise(() => {});
    },
  };
  const isAskedFor = async (count: number) => {
    await expect.poll(() => asked).toBe(count);
  };
  return { page, isAskedFor };
}

async function start(limits: Partial<ConnectionLimits>, page?: Page) {
  const started = await startFakeServer({}, [], page);
  const listener = await started.server.listen({ host: "127.0.0.1", port: 0, limits });
  open.push(listener);
  const { port } = listener;
  const { token } = started.person;

  /** Connects; the server has noticed when the next one has an answer. */
  const line = async (localAddress?: string) => {
    const socket = netConnect({ host: "127.0.0.1", port, localAddress });
    sockets.push(socket);
    let heard = "";
    socket.on("data", (data) => (heard += data.toString())).on("error", () => {});
    const closed = new Promise<string>((resolve) => socket.once("close", () => resolve("closed")));
    await once(socket, "connect");
    return {
      closed,
      write: (text: string) => socket.write(text),
      send: (method: string, path: string, ...more: string[]) =>
        socket.write(
          [`${method} ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...more].join("\r\n") +
            "\r\n\r\n",
        ),
      /** Resolves once so many answers have begun to come. */
      answers: async (count: number) => {
        while ((heard.match(/HTTP\/1.1/g) ?? []).length < count) await once(socket, "data");
        return heard;
      },
      /** Whether it still gets an answer. */
      isOpen: async () => {
        heard = "";
        socket.write(`GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
        const answered = once(socket, "data").then(() => true);
        return Promise.race([answered, closed.then(() => false)]);
      },
    };
  };
  const bearer = `Authorization: Bearer ${token}`;
  /** A connection over which a person has shown who they are. */
  const personal = async () => {
    const one = await line();
    one.send("GET", "/api/sessions", bearer);
    await one.answers(1);
    return one;
  };
  return { ...started, listener, port, line, personal, bearer };
}

describe("strangers", () => {
  test("who only connect make room for each other, and lock nobody out", async () => {
    const { line, personal } = await start({ strangers: 3 });
    const silent = [await line(), await line(), await line(), await line(), await line()];
    expect(await silent[0]!.closed).toBe("closed");
    expect(await silent[1]!.closed).toBe("closed");
    await personal();
    expect(await silent[2]!.closed).toBe("closed");
    expect(await silent[4]!.isOpen()).toBe(true);
    expect(await silent[3]!.isOpen()).toBe(true);
  });

  test("of one address have a limit of their own", async () => {
    const { line } = await start({ strangersPerAddress: 2 });
    const silent = [await line(), await line(), await line()];
    expect(await silent[0]!.closed).toBe("closed");
    expect(await silent[2]!.isOpen()).toBe(true);
    expect(await silent[1]!.isOpen()).toBe(true);
  });

  // Only Linux lets a program speak from any address of the loopback network.
  test.skipIf(process.platform !== "linux" && MAY_LACK)(
    "of one address close none of another's",
    async () => {
      const { line } = await start({ strangersPerAddress: 2 });
      const other = await line("127.0.0.2");
      const silent = [await line(), await line(), await line()];
      expect(await silent[0]!.closed).toBe("closed");
      expect(await other.isOpen()).toBe(true);
    },
  );

  test("are no longer strangers once a good credential came", async () => {
    const { line, personal } = await start({ strangers: 2 });
    const known = await personal();
    for (let count = 0; count < 5; count++) await line();
    expect(await known.isOpen()).toBe(true);
  });

  test("stay strangers with a credential that is not good", async () => {
    const { line } = await start({ strangers: 2 });
    const refused = await line();
    refused.send("GET", "/api/sessions", "Authorization: Bearer nobody");
    expect(await refused.answers(1)).toContain("HTTP/1.1 401");
    await line();
    await line();
    expect(await refused.closed).toBe("closed");
  });

  test("who are being answered are closed after those who are idle, but before a newcomer", async () => {
    const { page, isAskedFor } = endlessPage();
    const { line } = await start({ strangers: 2 }, page);
    const busy = await line();
    busy.send("GET", "/");
    await isAskedFor(1);
    const idle = await line();
    const busyToo = await line();
    expect(await idle.closed).toBe("closed");
    busyToo.send("GET", "/");
    await isAskedFor(2);
    const newcomer = await line();
    expect(await busy.closed).toBe("closed");
    expect(await newcomer.isOpen()).toBe(true);
  });

  test("who send a body slowly are idle", async () => {
    const { line } = await start({ strangers: 2 });
    const slow = await line();
    const length = ["Content-Type: application/json", "Content-Length: 100"];
    slow.send("POST", "/api/auth/exchange", ...length, "Expect: 100-continue");
    await slow.answers(1);
    await line();
    await line();
    expect(await slow.closed).toBe("closed");
  });

  test("are not those who hold a WebSocket, and are those whose upgrade is none", async () => {
    const { line, person, port } = await start({ strangers: 2 });
    const headers = { authorization: `Bearer ${person.token}` };
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers });
    await once(socket, "open");
    const offering = await line();
    offering.send("GET", "/api/health", "Connection: Upgrade", "Upgrade: h2c");
    expect(await offering.answers(1)).toContain("HTTP/1.1 200");
    const silent = [await line(), await line(), await line()];
    expect(await silent[0]!.closed).toBe("closed");
    expect(await silent[2]!.isOpen()).toBe(true);
    socket.send('{"type":"hello","protocolVersion":1}');
    await once(socket, "message");
    socket.close();
  });
});

describe("all connections together", () => {
  test("make room: of those whom the server knows, the one that was idle for longest goes", async () => {
    const { line, personal, bearer } = await start({ connections: 5, connectionsKept: 2 });
    const [first, second, third] = [await personal(), await personal(), await personal()];
    first.send("GET", "/api/sessions", bearer);
    await first.answers(2);
    await line();
    expect(await second.closed).toBe("closed");
    expect(await third.isOpen()).toBe(true);
    expect(await first.isOpen()).toBe(true);
  });

  test("are not more than the server accepts, if all of them are being answered", async () => {
    const { page, isAskedFor } = endlessPage();
    const { personal, line } = await start({ connections: 3, connectionsKept: 1 }, page);
    for (const count of [1, 2, 3]) {
      (await personal()).send("GET", "/");
      await isAskedFor(count);
    }
    expect(await (await line()).closed).toBe("closed");
  });
});

describe("a connection", () => {
  test("that says nothing, or not all of its headers, ends in time", async () => {
    const { line } = await start({ headersMs: 20, requestMs: 20, checkMs: 5 });
    const [silent, slow] = [await line(), await line()];
    slow.write("GET /api/health HTTP/1.1\r\n");
    expect(await silent.closed).toBe("closed");
    expect(await slow.closed).toBe("closed");
  });

  test("that does not send all of its body ends in time", async () => {
    const { line, bearer } = await start({ requestMs: 20, headersMs: 20, checkMs: 5 });
    const slow = await line();
    const length = ["Content-Type: application/json", "Content-Length: 100"];
    slow.send("POST", "/api/sessions", bearer, ...length);
    expect(await slow.closed).toBe("closed");
  });

  test("that asks nothing more ends in time", async () => {
    const { personal } = await start({ keepAliveMs: 20 });
    expect(await (await personal()).closed).toBe("closed");
  });
});

test("what is kept is less than what there is, and the strangers leave room for the known", () => {
  const { connections, connectionsKept, strangers, strangersPerAddress } = CONNECTIONS;
  expect(strangersPerAddress).toBeLessThan(strangers);
  expect(strangers + connectionsKept).toBeLessThan(connections / 2);
});
