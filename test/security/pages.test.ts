import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EVERY, type HttpEntrance, type Needs } from "./entrances.ts";
import { House } from "./house.ts";
import { inWords, type SentHeaders } from "./wire.ts";

let house: House;
let before: unknown;
beforeAll(async () => {
  house = await House.build();
  before = await house.state();
});
afterAll(() => house.close());

/**
 * What a browser sends for a hostile page, with the cookie always along. For a page of another site
 * SameSite=Strict keeps the cookie back as well; for one on another port of this machine it does
 * not, because ports are one site.
 */
interface Way {
  method?: string;
  origin?: string;
  mode: string;
  dest: string;
  headers?: SentHeaders;
}
const FOREIGN = "http://localhost:3000";
const WAYS: Record<string, Way> = {
  "an image": { mode: "no-cors", dest: "image" },
  "a script": { mode: "no-cors", dest: "script" },
  "a style sheet": { mode: "no-cors", dest: "style" },
  "a frame": { mode: "navigate", dest: "iframe" },
  "a link": { mode: "navigate", dest: "document", headers: { "sec-fetch-user": "?1" } },
  "a prefetch": { mode: "no-cors", dest: "empty", headers: { "sec-purpose": "prefetch" } },
  "fetch without CORS": { mode: "no-cors", dest: "empty" },
  "fetch of an event stream": {
    mode: "no-cors",
    dest: "empty",
    headers: { accept: "text/event-stream" },
  },
  "fetch with CORS": { mode: "cors", dest: "empty", origin: FOREIGN },
  EventSource: {
    mode: "cors",
    dest: "empty",
    origin: FOREIGN,
    headers: { accept: "text/event-stream" },
  },
  "a form": {
    method: "POST",
    mode: "navigate",
    dest: "document",
    origin: FOREIGN,
    headers: { "content-type": "application/x-www-form-urlencoded" },
  },
  "a form of plain text": {
    method: "POST",
    mode: "navigate",
    dest: "document",
    origin: FOREIGN,
    headers: { "content-type": "text/plain" },
  },
  "a form in a sandbox": { method: "POST", mode: "navigate", dest: "document", origin: "null" },
  "a beacon": {
    method: "POST",
    mode: "no-cors",
    dest: "empty",
    origin: FOREIGN,
    headers: { "content-type": "text/plain" },
  },
};

const sentBy = (way: Way, site: string): SentHeaders => ({
  cookie: house.cookie,
  "sec-fetch-site": site,
  "sec-fetch-mode": way.mode,
  "sec-fetch-dest": way.dest,
  ...(way.origin === undefined ? {} : { origin: way.origin }),
  ...way.headers,
});

const API = EVERY.filter(([request]) => request.includes("/api/"));

describe.each(["cross-site", "same-site"])("a page that is %s", (site) => {
  const CASES = Object.entries(WAYS).flatMap(([what, way]) =>
    API.filter(([request]) => request.startsWith(way.method ?? "GET")).map(
      ([request, entrance]): [string, string, Way, HttpEntrance] => [what, request, way, entrance],
    ),
  );
  test.each(CASES)("by %s cannot %s", async (_what, request, way, entrance) => {
    const body = way.method === "POST" ? house.bodyOf(entrance) : undefined;
    const reply = await house.send(request, sentBy(way, site), body);
    expect(inWords(reply)).toBe("403 forbidden_origin");
    expect(reply.headers["cross-origin-resource-policy"]).toBe("same-origin");
  });

  test("cannot open a WebSocket", async () => {
    for (const origin of [FOREIGN, "http://evil.example", "null"]) {
      const way = { mode: "websocket", dest: "websocket", origin };
      expect(await house.wire.upgrade(sentBy(way, site))).toBe("403 forbidden_origin");
    }
  });

  test("may link to the page, and finds nothing in it but the page", async () => {
    const reply = await house.send("GET /", sentBy(WAYS["a link"] as Way, site));
    expect(reply.status).toBe(200);
    expect(reply.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    for (const name of Object.values(house.names)) expect(reply.text).not.toContain(name);
  });
});

/** The browser does not say where it comes from: an old one, or one that was told not to. */
describe("a browser that sends no Sec-Fetch-Site", () => {
  const writes = API.filter(([request]) => !request.startsWith("GET"));
  test.each(writes.filter(([, { needs }]: [string, { needs: Needs }]) => needs !== "nothing"))(
    "cannot %s with a cookie and without an Origin",
    async (_request, entrance) => {
      const reply = await house.enter(entrance, { cookie: house.cookie });
      expect(inWords(reply)).toBe("403 forbidden_origin");
    },
  );

  test("cannot open a WebSocket with a cookie and without an Origin", async () => {
    expect(await house.wire.upgrade({ cookie: house.cookie })).toBe("403 forbidden_origin");
  });
});

test.each(["same-origin", "none"])("with Sec-Fetch-Site %s our own page reads", async (site) => {
  const headers = { cookie: house.cookie, "sec-fetch-site": site };
  expect(inWords(await house.send("GET /api/sessions", headers))).toBe("200 ok");
});

test.each(API.filter(([request]) => request.startsWith("GET")))(
  "%s changes nothing, so that a read that slips through does no harm",
  async (_request, entrance) => {
    await house.enter(entrance, { cookie: house.cookie });
    expect(await house.state()).toEqual(before);
  },
);
