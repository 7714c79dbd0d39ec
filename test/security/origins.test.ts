import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EVERY, everywhere } from "./entrances.ts";
import { House } from "./house.ts";
import { bearer, inWords } from "./wire.ts";

let house: House;
beforeAll(async () => {
  house = await House.build();
});
afterAll(() => house.close());

const FOREIGN_ORIGINS = [
  "null",
  "",
  "http://evil.example",
  "http://evil.example:PORT",
  // Another page on this machine.
  "http://127.0.0.1:NEXT",
  "http://127.0.0.1",
  "https://127.0.0.1:PORT",
  // Sent to 127.0.0.1, so that the page is of another origin even by our other names.
  "http://localhost:PORT",
  "http://[::1]:PORT",
  // Names that begin or end like ours.
  "http://127.0.0.1.evil.example:PORT",
  "http://127.0.0.1:PORT.evil.example",
  "http://evil-127.0.0.1:PORT",
  "http://127.0.0.1:PORT@evil.example",
  "http://evil.example@127.0.0.1:PORT",
  "http://127.0.0.1:PORT/",
  "http://127.0.0.1:PORT#",
  "http://127.0.0.1:PORT http://evil.example",
  "http://evil.example, http://127.0.0.1:PORT",
  // Other kinds of pages.
  "file://",
  "file:///tmp/page.html",
  "ws://127.0.0.1:PORT",
  "chrome-extension://abcdefghijklmnop",
  "moz-extension://d2a5f5a0-0000-4000-8000-000000000000",
  "vscode-webview://abc",
  "capacitor://localhost",
  "app://.",
  "data:",
  "blob:http://127.0.0.1:PORT",
];

const CASES = everywhere(
  EVERY,
  FOREIGN_ORIGINS.map((origin) => [origin, origin]),
);

test.each(CASES)("%s with Origin %s gets 403 forbidden_origin", async (...given) => {
  const [, , entrance, text] = given;
  const origin = house.withPorts(text);
  for (const credential of [bearer(house.owner), { cookie: house.cookie }]) {
    const reply = await house.enter(entrance, { ...credential, origin });
    expect(inWords(reply)).toBe("403 forbidden_origin");
    expect(corsHeaders(reply.headers)).toEqual([]);
  }
});

test.each(FOREIGN_ORIGINS)(
  "an upgrade with Origin %s gets 403 forbidden_origin",
  async (origin) => {
    for (const credential of [bearer(house.owner), { cookie: house.cookie }]) {
      const headers = { ...credential, origin: house.withPorts(origin) };
      expect(await house.wire.upgrade(headers)).toBe("403 forbidden_origin");
    }
  },
);

test("our own page is let in, over HTTP and the upgrade", async () => {
  for (const credential of [bearer(house.owner), { cookie: house.cookie }]) {
    const headers = { ...credential, origin: house.origin };
    expect(inWords(await house.send("GET /api/sessions", headers))).toBe("200 ok");
    expect(await house.wire.upgrade(headers)).toBe("open");
  }
});

test("an Origin that is sent twice is nobody's, even if both are ours", async () => {
  const line = `GET /ws HTTP/1.1\r\nhost: 127.0.0.1:${house.port}\r\nconnection: upgrade\r\n`;
  const upgrade = "upgrade: websocket\r\nsec-websocket-version: 13\r\n";
  const key = "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
  const origins = `origin: ${house.origin}\r\norigin: ${house.origin}\r\n`;
  const answer = await house.wire.raw(
    `${line}${upgrade}${key}${origins}authorization: Bearer ${house.owner}\r\n\r\n`,
  );
  expect(answer).toContain("403 Forbidden");
});

describe("a preflight", () => {
  test.each(EVERY)("of %s allows nobody anything", async (request) => {
    const [method = "", path] = request.split(" ");
    for (const origin of ["http://evil.example", `http://127.0.0.1:${house.port + 1}`]) {
      const reply = await house.send(`OPTIONS ${path}`, {
        origin,
        "access-control-request-method": method,
        "access-control-request-headers": "authorization, content-type",
        "access-control-request-private-network": "true",
      });
      expect(inWords(reply)).toBe("403 forbidden_origin");
      expect(corsHeaders(reply.headers)).toEqual([]);
    }
  });
});

function corsHeaders(headers: object): string[] {
  return Object.keys(headers).filter((name) => name.startsWith("access-control"));
}
