import { describe, expect, test } from "vitest";
import { startFakeServer } from "../../test/support/fake-server.ts";
import { StoreUnavailable } from "../core/index.ts";
import { LIMITS, ProtocolError } from "../protocol/index.ts";

const tooLarge = `"${"x".repeat(LIMITS.messageBytes)}"`;

describe("the order of checks", () => {
  /** A request that is wrong in every way; each row puts one more thing right. */
  const wrong = {
    host: "evil.example",
    origin: "http://evil.example",
    token: "nobody" as string | null,
    type: "text/plain",
    body: tooLarge,
    path: "/api/interactions/i1/respond",
  };
  const rows: [string, Partial<typeof wrong>, number, string][] = [
    ["Host", {}, 403, "forbidden_host"],
    ["Origin", { host: "localhost:80" }, 403, "forbidden_origin"],
    ["credential", { origin: "http://localhost:80" }, 401, "unauthorized"],
    ["kind", { token: "machine" }, 403, "person_required"],
    ["size", { token: "person" }, 413, "too_large"],
    ["content type", { body: "{" }, 415, "json_required"],
    ["JSON", { type: "application/json" }, 400, "invalid_request"],
    ["shape", { body: '{"action":"maybe"}' }, 400, "invalid_request"],
    [
      "everything else, which the core checks",
      { body: '{"action":"deny"}' },
      404,
      "interaction_not_found",
    ],
  ];

  test("is Host, Origin, credential, kind, size, type, shape, and then the core", async () => {
    const respond = () =>
      Promise.reject(new ProtocolError("interaction_not_found", "There is no such prompt."));
    const { server, person, machine } = await startFakeServer({ respond });
    const tokens = new Map([
      ["person", person.token],
      ["machine", machine.token],
    ]);
    const request = { ...wrong };
    for (const [step, change, status, code] of rows) {
      Object.assign(request, change);
      const { host, origin, token, type, body, path } = request;
      const authorization = `Bearer ${tokens.get(token ?? "") ?? token}`;
      const headers = { host, origin, authorization, "content-type": type };
      const init = { method: "POST", headers, body };
      const answer = await server.fetch(new Request(`http://localhost${path}`, init));
      expect([step, answer.status, (await answer.json()).code]).toEqual([step, status, code]);
    }
  });
});

describe("a body", () => {
  const message = (content: string) => `{"content":"${content}"}`;

  test.each([
    [LIMITS.jsonStringBytes - 1, 202],
    [LIMITS.jsonStringBytes, 202],
    [LIMITS.jsonStringBytes + 1, 413],
  ])("with a text of %d bytes gets %d", async (bytes, status) => {
    const { request } = await startFakeServer();
    const body = message("x".repeat(bytes));
    expect((await request("/api/sessions/s1/messages", { method: "POST", body })).status).toBe(
      status,
    );
  });

  test.each([
    [LIMITS.messageBytes - 1, 201],
    [LIMITS.messageBytes, 201],
    [LIMITS.messageBytes + 1, 413],
  ])("of %d bytes that come in pieces without a length gets %d", async (bytes, status) => {
    const { request } = await startFakeServer();
    const text = "{}".padEnd(bytes, " ");
    let at = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (at >= text.length) return controller.close();
        controller.enqueue(new TextEncoder().encode(text.slice(at, at + 50_000)));
        at += 50_000;
      },
    });
    const init = { method: "POST", body, duplex: "half" } as RequestInit;
    expect((await request("/api/sessions", init)).status).toBe(status);
  });

  test.each([
    ["duplicate keys", '{"content":"a","content":"b"}'],
    ["a key that reaches a prototype", '{"content":"a","__proto__":{}}'],
    ["too deep", `{"content":"a","x":${"[".repeat(33)}${"]".repeat(33)}}`],
    ["no JSON", "hello"],
    ["not an object", "[]"],
    ["nothing of what is needed", ""],
  ])("with %s gets 400 and says what is wrong", async (_name, body) => {
    const { request } = await startFakeServer();
    const headers = { "content-type": "application/json" };
    const answer = await request("/api/sessions/s1/messages", { method: "POST", headers, body });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: "invalid_request",
      error: expect.any(String),
    });
  });

  test("may be absent where everything in it is optional", async () => {
    const { request } = await startFakeServer();
    expect((await request("/api/sessions", { method: "POST" })).status).toBe(201);
    const answer = await request("/api/sessions/s1/cancel", { method: "POST" });
    expect(await answer.json()).toEqual({ ok: true, stopped: false });
  });
});

describe("what only people may do", () => {
  test.each([
    ["POST", "/api/interactions/i1/respond"],
    ["GET", "/api/grants"],
    ["DELETE", "/api/grants/g1"],
    ["PATCH", "/api/sessions/s1"],
    ["DELETE", "/api/sessions/s1"],
  ])("%s %s is refused to a machine and changes nothing", async (method, path) => {
    const { request, machine, core } = await startFakeServer();
    const answer = await request(path, { method, token: machine.token });
    expect([answer.status, (await answer.json()).code]).toEqual([403, "person_required"]);
    expect(core.calls).toEqual([]);
  });

  test("a machine may create sessions, send messages and call operations", async () => {
    const { request, machine } = await startFakeServer();
    const { token } = machine;
    const post = (path: string, body: string, headers = {}) =>
      request(path, { method: "POST", token, body, headers });
    expect((await post("/api/sessions", "{}")).status).toBe(201);
    expect((await post("/api/sessions/s1/messages", '{"content":"hi"}')).status).toBe(202);
    const called = await post("/api/plugins/files/operations/read", '{"a":1}', {
      "x-session-id": "s1",
    });
    expect(await called.json()).toEqual({ ok: true, result: { a: 1 } });
  });
});

describe("every route but three", () => {
  test.each(["/api/sessions", "/api/agents", "/api/interactions/i1", "/api/nothing", "/api"])(
    "%s needs a credential",
    async (path) => {
      const { request } = await startFakeServer();
      expect((await request(path, { token: null })).status).toBe(401);
    },
  );

  test("health and the page need none, and no answer allows another origin", async () => {
    const { request } = await startFakeServer();
    for (const path of ["/", "/api/health", "/api/nothing"]) {
      const answer = await request(path, { token: null });
      expect(answer.status).toBe(path === "/api/nothing" ? 401 : 200);
      expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  test("what is not there is 404 for who is signed in", async () => {
    const { request } = await startFakeServer();
    for (const [path, method] of [
      ["/api/nothing", "GET"],
      ["/api/sessions", "PUT"],
      ["/nothing", "GET"],
    ] as const) {
      const answer = await request(path, { method });
      expect([answer.status, (await answer.json()).code]).toEqual([404, "not_found"]);
    }
  });

  test("a token in the query counts for nothing", async () => {
    const { request, person } = await startFakeServer();
    expect((await request(`/api/sessions?token=${person.token}`, { token: null })).status).toBe(
      401,
    );
  });
});

describe("signing in", () => {
  async function signIn() {
    const started = await startFakeServer();
    const code = await started.credentials.createSigninCode("owner");
    const exchange = () =>
      started.request("/api/auth/exchange", {
        method: "POST",
        token: null,
        body: JSON.stringify({ code }),
      });
    const answer = await exchange();
    const cookie = answer.headers.get("set-cookie") ?? "";
    return { ...started, exchange, answer, cookie, pair: cookie.split(";")[0] ?? "" };
  }

  test("gives a cookie that scripts cannot read and other sites do not send, once", async () => {
    const { answer, cookie, exchange } = await signIn();
    expect(answer.status).toBe(200);
    expect(cookie).toMatch(/^beckon=bk_\S+; HttpOnly; SameSite=Strict; Path=\/; Max-Age=2592000$/);
    expect(JSON.stringify(await answer.json())).not.toContain("bk_");
    expect((await exchange()).status).toBe(401);
  });

  test("lets the browser read; its writes must say that they come from our page", async () => {
    const { request, pair } = await signIn();
    const me = await request("/api/auth/me", { token: null, headers: { cookie: `a=b; ${pair}` } });
    expect(await me.json()).toMatchObject({ principal: { id: "owner", kind: "person" } });
    const write = (origin: Record<string, string>) =>
      request("/api/sessions", {
        method: "POST",
        token: null,
        headers: { cookie: pair, ...origin },
      });
    expect((await write({ origin: "http://localhost" })).status).toBe(201);
    expect((await (await write({})).json()).code).toBe("forbidden_origin");
    expect((await (await write({ origin: "null" })).json()).code).toBe("forbidden_origin");
  });

  test("ends with a sign-out", async () => {
    const { request, pair } = await signIn();
    const headers = { cookie: pair, origin: "http://localhost" };
    await request("/api/auth/signout", { method: "POST", token: null, headers });
    expect((await request("/api/auth/me", { token: null, headers })).status).toBe(401);
  });
});

describe("a body that says how long it is", () => {
  const post = async (said: number, body: string) => {
    const { request } = await startFakeServer();
    const headers = { "content-length": String(said) };
    return (await request("/api/sessions", { method: "POST", headers, body })).status;
  };

  test("is refused by what it says, and also by what it is", async () => {
    expect(await post(2, "{}")).toBe(201);
    expect(await post(LIMITS.messageBytes + 1, "{}")).toBe(413);
    expect(await post(2, `{}${" ".repeat(LIMITS.messageBytes)}`)).toBe(413);
  });
});

describe("numbers in the address", () => {
  test.each([
    "/api/sessions/s1/events?after=-1",
    "/api/sessions/s1/events?after=1.5",
    "/api/sessions/s1/events?after=x",
    "/api/sessions/s1/events?after=1&before=2",
    "/api/sessions/s1/events?after=1&after=2",
    "/api/sessions/s1/events?limit=0",
    `/api/sessions/s1/events?limit=${LIMITS.eventsPageMax + 1}`,
    "/api/interactions/i1?wait=0",
    `/api/interactions/i1?wait=${LIMITS.waitMaxSeconds + 1}`,
    "/api/interactions?status=answered",
    "/api/sessions?limit=x",
  ])("%s is refused", async (path) => {
    const { request } = await startFakeServer();
    const answer = await request(path);
    expect([answer.status, (await answer.json()).code]).toEqual([400, "invalid_request"]);
  });

  test("a wait ends when the caller hangs up", async () => {
    const aborted: boolean[] = [];
    const { request, clock } = await startFakeServer({
      interaction: (_who, _id, wait) =>
        new Promise((_resolve, reject) => {
          wait?.gone?.hear(() => {
            aborted.push(true);
            reject(new ProtocolError("interaction_not_found", "gone"));
          });
        }),
    });
    const caller = new AbortController();
    const answer = request("/api/interactions/i1?wait=60", { signal: caller.signal });
    await clock.settle();
    caller.abort();
    await answer;
    expect(aborted).toEqual([true]);
  });
});

describe("plugin operations", () => {
  const call = (headers: Record<string, string>, path = "/api/plugins/files/operations/read") =>
    startFakeServer().then(({ request }) => request(path, { method: "POST", headers }));

  test("need a session, and a call id that is one", async () => {
    expect((await call({})).status).toBe(400);
    expect((await call({ "x-session-id": "s1", "x-tool-call-id": "no/pe" })).status).toBe(400);
    expect(await (await call({ "x-session-id": "s1" })).json()).toEqual({ ok: true, result: {} });
  });

  test("that do not exist are 404", async () => {
    for (const path of [
      "/api/plugins/files/operations/none",
      "/api/plugins/none/operations/read",
    ]) {
      const answer = await call({ "x-session-id": "s1" }, path);
      expect([answer.status, (await answer.json()).code]).toEqual([404, "not_found"]);
    }
  });

  test("that end in an error say so with 200", async () => {
    const { request } = await startFakeServer({
      callTool: async () => ({ ok: false, error: { code: "tool_denied", message: "No." } }),
    });
    const headers = { "x-session-id": "s1" };
    const answer = await request("/api/plugins/files/operations/read", { method: "POST", headers });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ ok: false, error: "No.", code: "tool_denied" });
  });
});

describe("when things break", () => {
  test("a store that is away is 503 with Retry-After, also for health", async () => {
    const gone = () => Promise.reject(new StoreUnavailable("disk full"));
    const { request } = await startFakeServer({
      sessions: gone,
      isHealthy: () => false,
      checkHealth: gone,
    });
    const answer = await request("/api/sessions");
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
    expect((await answer.json()).code).toBe("store_unavailable");
    for (const health of [
      await request("/api/health", { token: null }),
      await request("/api/health?deep=1"),
    ]) {
      expect(health.status).toBe(503);
      expect(await health.json()).toMatchObject({ ok: false, code: "store_unavailable" });
    }
  });

  test("what nobody foresaw is 500 and tells nothing", async () => {
    const { request } = await startFakeServer({
      sessions: () => Promise.reject(new Error("secret detail")),
    });
    const answer = await request("/api/sessions");
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain("secret");
  });
});
