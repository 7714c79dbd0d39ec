import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EVERY, everywhere } from "./entrances.ts";
import { House } from "./house.ts";
import { bearer, inWords } from "./wire.ts";

let house: House;
beforeAll(async () => {
  house = await House.build();
});
afterAll(() => house.close());

const WRONG_HOSTS = [
  // A name of the attacker's that resolves to this machine.
  "evil.example:PORT",
  "127.0.0.1.nip.io:PORT",
  "localhost.evil.example:PORT",
  "localtest.me:PORT",
  // Our name, another port.
  "127.0.0.1:NEXT",
  "localhost:NEXT",
  "127.0.0.1",
  "localhost",
  "localhost:",
  "localhost:0PORT",
  "localhost:PORT0",
  // Other spellings of this machine.
  "0.0.0.0:PORT",
  "127.1:PORT",
  "127.0.0.2:PORT",
  "2130706433:PORT",
  "0x7f000001:PORT",
  "localhost.:PORT",
  "[::]:PORT",
  "[::ffff:127.0.0.1]:PORT",
  "[0:0:0:0:0:0:0:1]:PORT",
  "[::1%25lo]:PORT",
  "::1:PORT",
  // Tricks.
  "user@localhost:PORT",
  "localhost:PORT@evil.example",
  "evil.example#localhost:PORT",
  "localhost:PORT/",
  "localhost:PORT, evil.example",
  "localhost:PORT evil.example",
  "%6cocalhost:PORT",
  "",
];
const RIGHT_HOSTS = ["127.0.0.1:PORT", "localhost:PORT", "LOCALHOST:PORT", "[::1]:PORT"];

const CASES = everywhere(
  EVERY,
  WRONG_HOSTS.map((host) => [host, host]),
);

test.each(CASES)("%s with Host %s gets 403 forbidden_host", async (_name, host, entrance) => {
  const reply = await house.enter(entrance, {
    ...bearer(house.owner),
    host: house.withPorts(host),
  });
  expect(inWords(reply)).toBe("403 forbidden_host");
});

// The client would put in a right one for an empty one.
test.each(WRONG_HOSTS.filter(Boolean))(
  "an upgrade with Host %s gets 403 forbidden_host",
  async (host) => {
    const headers = { ...bearer(house.owner), host: house.withPorts(host) };
    expect(await house.wire.upgrade(headers)).toBe("403 forbidden_host");
  },
);

test.each(RIGHT_HOSTS)("a request and an upgrade with Host %s are let in", async (host) => {
  const headers = { ...bearer(house.owner), host: house.withPorts(host) };
  expect(inWords(await house.send("GET /api/sessions", headers))).toBe("200 ok");
  expect(await house.wire.upgrade(headers)).toBe("open");
});

test.each(["x-forwarded-host", "x-host", "x-original-host", "x-http-host-override", "forwarded"])(
  "a good name in %s does not make up for a wrong Host",
  async (header) => {
    const good = `localhost:${house.port}`;
    const headers = {
      ...bearer(house.owner),
      host: "evil.example",
      [header]: header === "forwarded" ? `host=${good}` : good,
    };
    expect(inWords(await house.send("GET /api/sessions", headers))).toBe("403 forbidden_host");
    expect(await house.wire.upgrade(headers)).toBe("403 forbidden_host");
  },
);

/** Requests that a client library would not write. Each gives the first line of the answer. */
describe("on the bare wire", () => {
  const UPGRADE = [
    "connection: upgrade",
    "upgrade: websocket",
    "sec-websocket-version: 13",
    "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==",
  ];
  test.each<[string, string, string[], string]>([
    ["without a Host", "GET /api/sessions HTTP/1.1", [], "400"],
    ["of HTTP/1.0 without a Host", "GET /api/sessions HTTP/1.0", [], "403"],
    ["with two Hosts, ours first", "GET /api/sessions HTTP/1.1", ["HOST", "host: evil"], "403"],
    ["with two Hosts, ours last", "GET /api/sessions HTTP/1.1", ["host: evil", "HOST"], "403"],
    ["for another server, through us", "GET http://evil/api/sessions HTTP/1.1", ["HOST"], "400"],
    ["with our whole address", "GET http://127.0.0.1:PORT/api/sessions HTTP/1.1", ["HOST"], "400"],
    ["for a star", "OPTIONS * HTTP/1.1", ["HOST"], "400"],
    ["for a path without a slash", "GET api/sessions HTTP/1.1", ["HOST"], "400"],
    ["to upgrade without a Host", "GET /ws HTTP/1.1", UPGRADE, "403"],
    ["to upgrade with two Hosts", "GET /ws HTTP/1.1", ["HOST", "host: evil", ...UPGRADE], "403"],
    ["to upgrade by a whole address", "GET http://evil/ws HTTP/1.1", ["HOST", ...UPGRADE], "40"],
    ["that traces", "TRACE /api/sessions HTTP/1.1", ["HOST"], "40"],
  ])("a request %s is refused", async (_what, line, headers, status) => {
    const lines = headers.map((one) => (one === "HOST" ? "host: 127.0.0.1:PORT" : one));
    const own = [`authorization: Bearer ${house.owner}`, "connection: close"];
    const text = [line, ...lines, ...own, "", ""].join("\r\n").replaceAll("PORT", `${house.port}`);
    const answer = await house.wire.raw(text);
    expect(answer.split("\r\n")[0]).toContain(`HTTP/1.1 ${status}`);
    expect(answer).not.toContain(house.owner);
  });
});
