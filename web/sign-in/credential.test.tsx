import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { signInWith, takeCode, visit } from "./credential.ts";

interface Call {
  path: string;
  body?: string;
  authorization?: string;
  hash: string;
}
const OWNER = { id: "owner", name: "Owner" };
let calls: Call[];
let answers: Record<string, () => Response>;

beforeEach(() => {
  calls = [];
  answers = { "/api/auth/me": () => Response.json({ principal: OWNER }) };
  vi.stubGlobal("fetch", (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    calls.push({
      path,
      body: init.body as string | undefined,
      authorization: headers.get("authorization") ?? undefined,
      hash: location.hash,
    });
    return Promise.resolve(answers[path]?.() ?? Response.json({ ok: true }));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  history.replaceState(null, "", "/");
  localStorage.clear();
});

const refuse = () =>
  Response.json({ error: "Used already.", code: "unauthorized" }, { status: 401 });

test("the code is out of the address and the history before it is sent", async () => {
  history.replaceState(null, "", "/#code=bk_secret");
  const before = history.length;
  const code = takeCode();
  expect(location.href).not.toContain("bk_secret");
  expect(history.length).toBe(before);
  expect(await visit(code)).toEqual({ kind: "signed_in", ...OWNER });
  expect(calls[0]).toMatchObject({ path: "/api/auth/exchange", hash: "" });
});

test("an address inside the app is no code", () => {
  history.replaceState(null, "", "/#/s/abc?code=x");
  expect(takeCode()).toBeUndefined();
  expect(location.hash).toBe("#/s/abc?code=x");
});

test("a used code says so, and a server that is away is told apart from being signed out", async () => {
  answers = { "/api/auth/exchange": refuse, "/api/auth/me": refuse };
  expect(await visit("old")).toEqual({ kind: "signed_out", problem: "Used already." });
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no line")));
  expect(await visit()).toEqual({ kind: "unreachable" });
});

test("a pasted address is exchanged by its code", async () => {
  await signInWith(`  ${location.origin}/#code=bk_abc \n`);
  expect(calls[0]).toMatchObject({ path: "/api/auth/exchange", body: '{"code":"bk_abc"}' });
});

test("an address of another server is never sent to this one", async () => {
  const result = await signInWith("https://elsewhere.example/#code=bk_abc");
  expect(result).toMatchObject({
    kind: "signed_out",
    problem: expect.stringContaining("elsewhere"),
  });
  expect(calls).toEqual([]);
});

test("a token becomes a cookie, and stays neither in storage nor in the address", async () => {
  answers["/api/auth/exchange"] = refuse;
  let signedIn = false;
  answers["/api/auth/me"] = () => (signedIn ? Response.json({ principal: OWNER }) : refuse());
  answers["/api/auth/signin"] = () => {
    signedIn = true;
    return Response.json({ ok: true });
  };
  expect(await signInWith("bk_token")).toEqual({ kind: "signed_in", ...OWNER });
  expect(calls.find(({ path }) => path === "/api/auth/signin")?.authorization).toBe(
    "Bearer bk_token",
  );
  expect(JSON.stringify([localStorage, sessionStorage]) + location.href).not.toContain("bk_token");
});
