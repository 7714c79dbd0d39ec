import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { everywhere, WRITING } from "./entrances.ts";
import { House } from "./house.ts";
import { bearer, inWords, type SentHeaders } from "./wire.ts";

let house: House;
let before: unknown;
beforeAll(async () => {
  house = await House.build();
  before = await house.state();
});
afterAll(() => house.close());

/** What a page can send without asking first, or what would be read in two ways. */
const WRONG_TYPES: [what: string, headers: SentHeaders][] = [
  ["no Content-Type", { "content-type": null }],
  ["an empty Content-Type", { "content-type": "" }],
  ["Content-Type text/plain", { "content-type": "text/plain" }],
  [
    "Content-Type text/plain that speaks of JSON",
    { "content-type": "text/plain; application/json" },
  ],
  ["Content-Type of a form", { "content-type": "application/x-www-form-urlencoded" }],
  ["Content-Type of a form with files", { "content-type": "multipart/form-data; boundary=x" }],
  ["Content-Type text/json", { "content-type": "text/json" }],
  ["Content-Type application/jsonp", { "content-type": "application/jsonp" }],
  ["Content-Type application/ld+json", { "content-type": "application/ld+json" }],
  ["two types in one", { "content-type": "text/plain, application/json" }],
  ["JSON first of two types in one", { "content-type": "application/json, text/plain" }],
  ["Content-Type sent twice", { "content-type": ["application/json", "text/plain"] }],
  ["Content-Encoding gzip", { "content-encoding": "gzip" }],
  ["Content-Encoding of its own", { "content-encoding": "x" }],
];

test.each(everywhere(WRITING, WRONG_TYPES))(
  "%s with %s gets 415 json_required",
  async (_name, _what, entrance, headers) => {
    const body = `${house.bodyOf(entrance)} `;
    const reply = await house.enter(entrance, { ...bearer(house.owner), ...headers }, body);
    expect(inWords(reply)).toBe("415 json_required");
  },
);

describe("bytes", () => {
  const big = (bytes: number) => Buffer.from(`{"content":"${"x".repeat(bytes)}"}`);
  const message = "POST /api/sessions/$session/messages";
  const json = () => ({ ...bearer(house.owner), "content-type": "application/json" });

  test.each<[string, Buffer, string]>([
    [
      "that are no UTF-8",
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      "400 invalid_request",
    ],
    [
      "of half a character",
      Buffer.from('{"content":"\xed\xa0\x80"}', "latin1"),
      "400 invalid_request",
    ],
    ["of UTF-16", Buffer.from('{"content":"a"}', "utf16le"), "400 invalid_request"],
    ["of gzip", gzipSync('{"content":"a"}'), "400 invalid_request"],
    ["that are too many", big(300_000), "413 too_large"],
  ])("%s are refused", async (_what, body, expected) => {
    expect(inWords(await house.send(message, json(), body))).toBe(expected);
  });

  test("that unpack to a thousand times as many are never unpacked", async () => {
    const bomb = gzipSync(big(200_000_000));
    expect(bomb.length).toBeLessThan(256 * 1024);
    const held = process.memoryUsage().arrayBuffers;
    const reply = await house.send(message, { ...json(), "content-encoding": "gzip" }, bomb);
    expect(inWords(reply)).toBe("415 json_required");
    expect(process.memoryUsage().arrayBuffers - held).toBeLessThan(50_000_000);
  });

  test("that come in chunks without a length are counted as they come", async () => {
    const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
    const head = house.withNames(`POST /api/sessions/$session/messages HTTP/1.1`);
    const answer = await house.wire.raw(
      `${head}\r\nhost: 127.0.0.1:${house.port}\r\nauthorization: Bearer ${house.owner}\r\n` +
        `content-type: application/json\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n` +
        `${chunk.repeat(8)}0\r\n\r\n`,
    );
    expect(answer).toContain("413 Payload Too Large");
  });

  test("with both a length and chunks are no request", async () => {
    const answer = await house.wire.raw(
      `POST /api/sessions HTTP/1.1\r\nhost: 127.0.0.1:${house.port}\r\ncontent-length: 4\r\n` +
        `transfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /api/health HTTP/1.1\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400/);
    expect(answer).not.toContain("200 OK");
  });

  test("of a socket are never compressed, whatever the client offers", async () => {
    const key = "AAAAAAAAAAAAAAAAAAAAAA==";
    const answer = await house.wire.raw(
      `GET /ws HTTP/1.1\r\nhost: 127.0.0.1:${house.port}\r\nconnection: upgrade\r\n` +
        `upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${key}\r\n` +
        `sec-websocket-extensions: permessage-deflate; client_max_window_bits\r\n` +
        `authorization: Bearer ${house.owner}\r\n\r\n`,
    );
    expect(answer).toContain("101 Switching Protocols");
    expect(answer.toLowerCase()).not.toContain("sec-websocket-extensions");
  });
});

test.each(["x-http-method-override", "x-http-method", "x-method-override", "_method"])(
  "%s does not turn one method into another",
  async (header) => {
    const headers = { ...bearer(house.owner), "content-type": "application/json" };
    const given = { ...headers, [header]: "DELETE" };
    const path = `/api/sessions/$session?${header}=DELETE`;
    expect(inWords(await house.send(`POST ${path}`, given, `{"${header}":"DELETE"}`))).toBe(
      "404 not_found",
    );
    expect(inWords(await house.send(`GET ${path}`, given))).toBe("200 ok");
  },
);

test("after all of it nothing has changed", async () => {
  expect(await house.state()).toEqual(before);
});
