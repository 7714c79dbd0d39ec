import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { House } from "./house.ts";
import { bearer, inWords } from "./wire.ts";

let house: House;
beforeAll(async () => {
  house = await House.build();
});
afterAll(() => house.close());

const newCode = () => house.beckon.credentials.createSigninCode("owner");
const newToken = async () =>
  (await house.beckon.credentials.exchangeCode(await newCode()))?.token ?? "";
const exchange = (code: unknown, headers: Record<string, string> = {}) =>
  house.send(
    "POST /api/auth/exchange",
    { "content-type": "application/json", origin: house.origin, ...headers },
    JSON.stringify({ code }),
  );

describe("a sign-in code", () => {
  test("is good once: the second time it is 401, without a cookie", async () => {
    const code = await newCode();
    expect(inWords(await exchange(code))).toBe("200 ok");
    const again = await exchange(code);
    expect(inWords(again)).toBe("401 unauthorized");
    expect(again.headers["set-cookie"]).toBeUndefined();
  });

  test("of twenty who send it at once, lets one in", async () => {
    const code = await newCode();
    const replies = await Promise.all(Array.from({ length: 20 }, () => exchange(code)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ headers }) => headers["set-cookie"])).toHaveLength(1);
  });

  test("is good for 60 seconds and not one more", async () => {
    const [early, late] = [await newCode(), await newCode()];
    await house.clock.advance(59_999);
    expect(inWords(await exchange(early))).toBe("200 ok");
    await house.clock.advance(1);
    expect(inWords(await exchange(late))).toBe("401 unauthorized");
  });

  test("has 256 random bits, so that guessing needs no other bound", async () => {
    const codes = await Promise.all(Array.from({ length: 20 }, newCode));
    for (const code of codes) {
      expect(Buffer.from(code.replace(/^bk_/, ""), "base64url")).toHaveLength(32);
    }
    expect(new Set(codes.map((code) => code.slice(0, 8))).size).toBe(20);
  });

  test("that is wrong tells nothing but that, and uses no other up", async () => {
    const code = await newCode();
    const refused = new Set<string>();
    for (const wrong of [house.owner, house.machine, house.cookie.split("=")[1], "x", `${code}x`]) {
      const reply = await exchange(wrong);
      expect(inWords(reply)).toBe("401 unauthorized");
      refused.add(reply.text);
    }
    expect(refused.size).toBe(1);
    expect(inWords(await exchange(code))).toBe("200 ok");
  });

  test.each([
    ["a number", 7],
    ["a list", ["x"]],
    ["an object", { $ne: null }],
    ["nothing", ""],
  ])("that is %s is 400", async (_what, code) => {
    expect(inWords(await exchange(code))).toBe("400 invalid_request");
  });

  test.each(["GET /?code=", "GET /api/auth/exchange?code=", "POST /api/auth/exchange?code="])(
    "in the query of %s is not used up and gives no cookie",
    async (line) => {
      const code = await newCode();
      const reply = await house.send(line + code);
      expect(reply.headers["set-cookie"]).toBeUndefined();
      expect(reply.text).not.toContain(code);
      expect(inWords(await exchange(code))).toBe("200 ok");
    },
  );

  test("sent by a page of another origin is refused and not used up", async () => {
    const code = await newCode();
    for (const origin of ["null", "http://evil.example", `http://localhost:${house.port}`]) {
      expect(inWords(await exchange(code, { origin }))).toBe("403 forbidden_origin");
    }
    expect(inWords(await exchange(code))).toBe("200 ok");
  });
});

describe("the cookie", () => {
  test("cannot be read by scripts nor sent by other sites, and the token is in no body", async () => {
    const reply = await exchange(await newCode());
    const [cookie = ""] = reply.headers["set-cookie"] ?? [];
    const [pair = "", ...attributes] = cookie.split("; ");
    expect(attributes.sort()).toEqual(["HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Strict"]);
    expect(reply.text).not.toContain(pair.split("=")[1]);
  });

  test("stands beside that of a server on another port", async () => {
    const [cookie = ""] = (await exchange(await newCode())).headers["set-cookie"] ?? [];
    const [pair = ""] = cookie.split(";");
    expect(pair).toMatch(new RegExp(`^beckon-${house.port}=`));
    const both = { cookie: `beckon-1=bk_another; ${pair}`, origin: house.origin };
    expect(inWords(await house.send("GET /api/sessions", both))).toBe("200 ok");
    expect(await house.wire.upgrade(both)).toBe("open");
  });

  test("of this server is found, whatever cookies of other ports a browser sends with it", async () => {
    const before = { cookie: `beckon-1=bk_another; beckon-2=${await newToken()}` };
    expect(inWords(await house.send("GET /api/sessions", before))).toBe("200 ok");
    const stale = { cookie: `beckon-${house.port}=bk_old; ${before.cookie}`, origin: house.origin };
    expect(inWords(await house.send("GET /api/sessions", stale))).toBe("200 ok");
    expect(await house.wire.upgrade(stale)).toBe("open");
  });

  test("that an earlier port or version left does not outlive a sign-out", async () => {
    const own = `beckon-${house.port}=${await newToken()}`;
    const [first, second] = [`beckon=${await newToken()}`, `beckon-1=${await newToken()}`];
    const all = { cookie: `beckon-2=bk_another; ${first}; ${second}; ${own}` };
    const headers = { ...all, origin: house.origin, "content-type": "application/json" };
    const out = await house.send("POST /api/auth/signout", headers, "{}");
    const cleared = (out.headers["set-cookie"] ?? []).map((cookie) => cookie.split("=")[0] ?? "");
    expect(cleared.toSorted()).toEqual(["beckon", "beckon-1", `beckon-${house.port}`]);
    for (const cookie of [first, second, own]) {
      expect(inWords(await house.send("GET /api/sessions", { cookie }))).toBe("401 unauthorized");
    }
  });

  test("is secure behind a proxy that speaks TLS", async () => {
    const { toCookie } = await import("../../src/server/access.ts");
    expect(toCookie("beckon", "x", { seconds: 1, secure: true })).toMatch(/; Secure$/);
  });

  test("has no power left after a sign-out, nor a month later", async () => {
    const signIn = async () => {
      const [cookie = ""] = (await exchange(await newCode())).headers["set-cookie"] ?? [];
      return { cookie: cookie.split(";")[0] ?? "", origin: house.origin };
    };
    const [first, second] = [await signIn(), await signIn()];
    const json = { "content-type": "application/json" };
    const out = await house.send("POST /api/auth/signout", { ...first, ...json }, "{}");
    expect(out.headers["set-cookie"]?.[0]).toMatch(/^beckon-\d+=; .*Max-Age=0/);
    expect(inWords(await house.send("GET /api/sessions", first))).toBe("401 unauthorized");
    expect(await house.wire.upgrade(first)).toBe("401 unauthorized");
    expect(inWords(await house.send("GET /api/sessions", second))).toBe("200 ok");
    house.clock.jump(30 * 24 * 60 * 60 * 1_000);
    expect(inWords(await house.send("GET /api/sessions", second))).toBe("401 unauthorized");
    expect(inWords(await house.send("GET /api/sessions", bearer(house.owner)))).toBe("200 ok");
  });
});

describe("a person's token", () => {
  const json = { "content-type": "application/json" };

  test("signs a browser in, which gets a cookie and never sees another token", async () => {
    const headers = { ...bearer(house.owner), ...json };
    const signedIn = await house.send("POST /api/auth/signin", headers, "{}");
    expect(signedIn.text).not.toContain("bk_");
    const [cookie = ""] = signedIn.headers["set-cookie"] ?? [];
    expect(cookie).toMatch(
      /^beckon-\d+=bk_[^;]+; HttpOnly; SameSite=Strict; Path=\/; Max-Age=2592000$/,
    );
    const asBrowser = { cookie: cookie.split(";")[0] ?? "", origin: house.origin };
    expect(inWords(await house.send("GET /api/sessions", asBrowser))).toBe("200 ok");
  });

  test("that is revoked or has expired ends the browsers that it signed in, and no others", async () => {
    const { credentials } = house.beckon;
    const signIn = async (expiresInMs?: number) => {
      const holder = { kind: "person", name: "Ada" } as const;
      const { id, token } = await credentials.createToken({ holder, expiresInMs });
      const headers = { ...bearer(token), ...json };
      const reply = await house.send("POST /api/auth/signin", headers, "{}");
      const [cookie = ""] = reply.headers["set-cookie"] ?? [];
      return { id, browser: { cookie: cookie.split(";")[0] ?? "", origin: house.origin } };
    };
    const looks = async ({ browser }: Awaited<ReturnType<typeof signIn>>) =>
      inWords(await house.send("GET /api/sessions", browser));
    const [revoked, expiring, other] = [await signIn(), await signIn(60_000), await signIn()];
    expect([await looks(revoked), await looks(expiring)]).toEqual(["200 ok", "200 ok"]);
    await credentials.revokeToken(revoked.id);
    expect(await looks(revoked)).toBe("401 unauthorized");
    expect(await house.wire.upgrade(revoked.browser)).toBe("401 unauthorized");
    expect([await looks(expiring), await looks(other)]).toEqual(["200 ok", "200 ok"]);
    house.clock.jump(60_000);
    expect([await looks(expiring), await looks(other)]).toEqual(["401 unauthorized", "200 ok"]);
  });

  test("does not do so for a machine, bound to a session or not", async () => {
    const holder = { kind: "machine", name: "unbound" } as const;
    const unbound = await house.beckon.credentials.createToken({ holder });
    for (const token of [house.machine, unbound.token]) {
      const headers = { ...bearer(token), ...json };
      const refused = await house.send("POST /api/auth/signin", headers, "{}");
      expect(inWords(refused)).toBe("403 person_required");
      expect(refused.headers["set-cookie"]).toBeUndefined();
    }
  });
});
