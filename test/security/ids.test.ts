import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GUARDED } from "./entrances.ts";
import { House } from "./house.ts";
import { bearer } from "./wire.ts";

let house: House;
let before: unknown;
beforeAll(async () => {
  house = await House.build();
  before = await house.state();
});
afterAll(() => house.close());

/** As they stand in an address. `ID` is the id of something that is really there. */
const EVIL_IDS: [what: string, inPath: string][] = [
  ["a random id of 128 bits", randomBytes(16).toString("base64url")],
  ["the id with one letter more", "IDx"],
  ["the id and a prefix", "ID:x"],
  ["the id in the other case", "id"],
  ["the id after two dots", "..%2fsessions%2fID"],
  ["two encoded dots", "%2e%2e%2f%2e%2e%2fetc%2fpasswd"],
  ["two dots, encoded twice", "%252e%252e%252fetc%252fpasswd"],
  ["backslashes", "..%5c..%5cwindows%5cwin.ini"],
  ["an overlong slash", "..%c0%af..%c0%afetc%c0%afpasswd"],
  ["the id and a NUL", "ID%00"],
  ["the id, a NUL and more", "ID%00.json"],
  ["the id and a line break", "ID%0d%0aset-cookie:%20a=b"],
  ["the id and a space", "ID%20"],
  ["the id and a fullwidth letter", "ID%ef%bc%a1"],
  ["the id and an invisible character", "ID%e2%80%8b"],
  ["the id and half a character", "ID%ed%a0%80"],
  ["broken UTF-8", "%ff%fe"],
  ["a percent sign", "%25"],
  ["a broken escape", "%zz"],
  ["__proto__", "__proto__"],
  ["constructor", "constructor"],
  ["toString", "toString"],
  ["a wildcard", "%25%25"],
  ["a star", "*"],
  ["SQL", "'%20OR%20'1'='1"],
  ["SQL after the id", "ID'%20OR%20'1'='1'--"],
  ["JSON", "%7b%22$ne%22:null%7d"],
  ["a colon", ":id"],
  ["an array", "ID,ID"],
  ["10,000 characters", "A".repeat(10_000)],
];

const WITH_ID = GUARDED.filter(([request]) => request.includes("$"));
const CASES = EVIL_IDS.flatMap(([what, id]) =>
  WITH_ID.map(([request, entrance]) => [request, what, entrance, id] as const),
);

test.each(CASES)("%s with %s finds nothing", async (_request, _what, entrance, id) => {
  const changeCase = (text: string) =>
    text.replaceAll(/[a-z]/gi, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
  const evil = (real: string) => (id === "id" ? changeCase(real) : id.replaceAll("ID", real));
  const request = entrance.request.replace(/\$\w+/, (name) => evil(house.withNames(name)));
  const reply = await house.enter({ ...entrance, request }, bearer(house.owner));
  // A character that cannot be stored, or a query that is too long, is told as such.
  expect([400, 404]).toContain(reply.status);
  expect(reply.body.code).toMatch(/^(\w*not_found|invalid_request)$/);
  expect(reply.headers["set-cookie"]).toBeUndefined();
  expect(reply.text).not.toMatch(/node_modules|\.ts:|\.js:|SQLITE|root:/);
});

const EVIL_IDS_IN_JSON = [
  ...["ID\u0000", "ID\u0000x", "../ID", "ID/../ID", "__proto__", "constructor", "ID ", " ID"],
  ...["ID\u200b", "ID\r\nx", "*", "%", "' OR '1'='1", "A".repeat(10_000), ""],
  randomBytes(16).toString("base64url"),
];

test.each(EVIL_IDS_IN_JSON.map((id) => [JSON.stringify(id).slice(0, 30), id]))(
  "frames with the id %s find nothing, in any place that takes one",
  async (_name, id) => {
    const socket = await house.connect(house.owner);
    const good = { sessionId: "$session", callId: "$call", interactionId: "$approval" };
    const frames: [frame: { type: string; [key: string]: unknown }, keys: (keyof typeof good)[]][] =
      [
        [{ type: "subscribe", sessionId: "$session" }, ["sessionId"]],
        [{ type: "user_message", text: "x", ...good }, ["sessionId"]],
        [{ type: "cancel", ...good }, ["sessionId"]],
        [
          { type: "tool_interaction_response", action: "approve", ...good },
          ["sessionId", "callId", "interactionId"],
        ],
      ];
    for (const [frame, keys] of frames) {
      for (const key of keys) {
        const evil = id.replaceAll("ID", house.withNames(good[key]));
        const reply = await socket.ask({ ...house.withNames(frame), [key]: evil });
        expect(reply["code"]).toMatch(/^(\w*not_found|invalid_request)$/);
      }
    }
    const session = id.replaceAll("ID", house.withNames("$session"));
    const inHeader = encodeURIComponent(session) === session ? `x${session}` : session;
    const headers = {
      ...bearer(house.owner),
      "content-type": "application/json",
      "x-session-id": encodeURIComponent(inHeader),
    };
    const called = await house.send("POST /api/plugins/house/operations/echo", headers, "{}");
    expect([400, 404]).toContain(called.status);
  },
);

test.each([
  ["GET /../../etc/passwd"],
  ["GET /assets/../../package.json"],
  ["GET /assets/%2e%2e/%2e%2e/package.json"],
  ["GET /assets/..%2f..%2fpackage.json"],
  ["GET /index.html%00.svg"],
  ["GET //evil.example/"],
  ["GET /token"],
  ["GET /beckon.db"],
  ["GET /.git/config"],
  ["POST /api/plugins/..%2f..%2fx/operations/echo"],
  ["POST /api/plugins/house/operations/constructor"],
  ["POST /api/plugins/__proto__/operations/toString"],
])("%s is not there", async (request) => {
  const body = request.startsWith("POST") ? "{}" : undefined;
  const type = body === undefined ? null : "application/json";
  const headers = { ...bearer(house.owner), "content-type": type, "x-session-id": "$session" };
  const reply = await house.send(request, headers, body);
  expect(reply.status).toBe(404);
});

test("after all of it nothing has changed", async () => {
  expect(await house.state()).toEqual(before);
});

test("ids of our making are random, 128 bits each", async () => {
  const headers = { ...bearer(house.owner), "content-type": "application/json" };
  const ids: string[] = [];
  for (let made = 0; made < 50; made++) {
    ids.push((await house.send("POST /api/sessions", headers, "{}")).body.id);
  }
  expect(ids.map((id) => Buffer.from(id, "base64url").length)).toEqual(ids.map(() => 16));
  // Neither a clock nor a counter: no two begin alike.
  expect(new Set(ids.map((id) => id.slice(0, 5))).size).toBe(50);
});
