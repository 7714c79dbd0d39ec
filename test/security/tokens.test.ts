import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { everywhere, GUARDED } from "./entrances.ts";
import { House } from "./house.ts";
import { bearer, inWords, type SentHeaders } from "./wire.ts";

let house: House;
/** What the cases below write as $revoked and so on. */
const tokens: Record<string, string> = {};
beforeAll(async () => {
  house = await House.build();
  const { credentials } = house.beckon;
  const holder = { kind: "person", name: "Guest" } as const;
  const revoked = await credentials.createToken({ holder });
  await credentials.revokeToken(revoked.id);
  const expired = await credentials.createToken({ holder, expiresInMs: 1_000 });
  await house.clock.advance(1_000);
  const owner = house.owner;
  Object.assign(tokens, {
    owner,
    port: String(house.port),
    revoked: revoked.token,
    expired: expired.token,
    code: await credentials.createSigninCode("owner"),
    browser: house.cookie.split("=")[1],
    short: owner.slice(0, -1),
    changed: owner.slice(0, -1) + (owner.endsWith("A") ? "B" : "A"),
    uncased: owner === owner.toLowerCase() ? owner.toUpperCase() : owner.toLowerCase(),
    id: (await credentials.listTokens())[0]?.id,
  });
});
afterAll(() => house.close());

const filled = (text: string) =>
  text.replaceAll(/\$(\w+)/g, (_whole, name: string) => tokens[name] ?? "");

const BROKEN: [string, SentHeaders][] = [
  ["no credential", {}],
  ["an empty Authorization", { authorization: "" }],
  ["a Bearer without a token", { authorization: "Bearer" }],
  ["a Bearer with spaces only", { authorization: "Bearer    " }],
  ["a Basic password", { authorization: "Basic b3duZXI6b3duZXI=" }],
  ["the owner's token as Basic", { authorization: "Basic $owner" }],
  ["the owner's token without a scheme", { authorization: "$owner" }],
  ["the owner's token in quotes", { authorization: 'Bearer "$owner"' }],
  ["the owner's token and more", { authorization: "Bearer $owner x" }],
  ["the owner's token with a comma", { authorization: "Bearer $owner," }],
  ["the owner's token without its last letter", { authorization: "Bearer $short" }],
  ["the owner's token with one letter changed", { authorization: "Bearer $changed" }],
  ["the owner's token in the other case", { authorization: "Bearer $uncased" }],
  ["the owner's token twice", { authorization: ["Bearer $owner", "Bearer $owner"] }],
  ["the owner's token before another", { authorization: ["Bearer $owner", "Bearer nobody"] }],
  ["the owner's token after another", { authorization: ["Bearer nobody", "Bearer $owner"] }],
  ["the owner's token as a cookie", { cookie: "beckon-$port=$owner", origin: "own" }],
  ["the owner's token in a header of its own", { "x-api-key": "$owner", token: "$owner" }],
  ["a token's id", { authorization: "Bearer $id" }],
  ["a revoked token", { authorization: "Bearer $revoked" }],
  ["an expired token", { authorization: "Bearer $expired" }],
  ["a sign-in code as a token", { authorization: "Bearer $code" }],
  ["a sign-in code as a cookie", { cookie: "beckon-$port=$code", origin: "own" }],
  ["a browser's token as Bearer", { authorization: "Bearer $browser" }],
  [
    "a cookie beside a bad Bearer",
    {
      authorization: "Bearer nobody",
      cookie: "beckon-$port=$browser",
      origin: "own",
    },
  ],
  ["a cookie of another name", { cookie: "session=$browser", origin: "own" }],
  ["a cookie without its last letter", { cookie: "beckon-$port=x$browser", origin: "own" }],
  ["a very long token", { authorization: `Bearer bk_${"A".repeat(8_000)}` }],
  ["a name of the owner", { authorization: "Bearer owner" }],
  ["a token with SQL", { authorization: "Bearer bk_'OR'1'='1" }],
];

const sent = (headers: SentHeaders): SentHeaders =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (value === "own") return [name, house.origin];
      return [name, Array.isArray(value) ? value.map(filled) : value && filled(value)];
    }),
  );

const CASES = everywhere(GUARDED, BROKEN);

test.each(CASES)("%s with %s gets 401 unauthorized", async (_name, _what, entrance, headers) => {
  const reply = await house.enter(entrance, sent(headers));
  expect(inWords(reply)).toBe("401 unauthorized");
  expect(reply.headers["www-authenticate"]).toBe("Bearer");
});

test.each(BROKEN)("an upgrade with %s gets 401 unauthorized", async (_what, headers) => {
  expect(await house.wire.upgrade(sent(headers))).toBe("401 unauthorized");
});

test.each(["", "nobody", "$revoked", "$expired", "$code", "$browser", "$short", "$changed"])(
  "a connection in process with the token %j is closed with 4001 and does nothing",
  async (token) => {
    const before = await house.state();
    const channel = house.beckon.connect(filled(token));
    const frames: string[] = [];
    channel.onFrame = (frame) => frames.push(frame);
    const closed = new Promise<number>((resolve) => (channel.onClose = resolve));
    channel.send(JSON.stringify({ type: "hello", protocolVersion: 1 }));
    channel.send(JSON.stringify(house.withNames({ type: "cancel", sessionId: "$session" })));
    expect(await closed).toBe(4001);
    expect(frames).toEqual([]);
    expect(await house.state()).toEqual(before);
  },
);

describe("a token in the address", () => {
  const KEYS = ["token", "access_token", "authorization", "api_key", "key", "code", "beckon"];
  test.each(KEYS)("as ?%s= counts for nothing, and no answer repeats it", async (key) => {
    for (const [request] of GUARDED) {
      const joint = request.includes("?") ? "&" : "?";
      const reply = await house.send(`${request}${joint}${key}=${house.owner}`);
      expect(inWords(reply)).toBe("401 unauthorized");
      expect(reply.text + JSON.stringify(reply.headers)).not.toContain(house.owner);
    }
    expect(await house.wire.upgrade({}, `/ws?${key}=${house.owner}`)).toBe("401 unauthorized");
  });

  test("as a subprotocol of the upgrade counts for nothing", async () => {
    const headers = { "sec-websocket-protocol": `bearer, ${house.owner}` };
    expect(await house.wire.upgrade(headers)).toBe("401 unauthorized");
  });

  test("as a user's name counts for nothing", async () => {
    const basic = Buffer.from(`${house.owner}:`).toString("base64");
    const reply = await house.send("GET /api/sessions", { authorization: `Basic ${basic}` });
    expect(inWords(reply)).toBe("401 unauthorized");
  });
});

test("the good ones are good, so that the cases above fail for what they say", async () => {
  for (const headers of [bearer(house.owner), bearer(house.machine), { cookie: house.cookie }]) {
    expect(inWords(await house.send("GET /api/sessions/$session", headers))).toBe("200 ok");
  }
});
