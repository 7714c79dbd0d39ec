import { expect, test } from "vitest";
import { run } from "../program.ts";

async function ask(env: Record<string, string>) {
  const err: string[] = [];
  const started = performance.now();
  const exitCode = await run(["ask", "Which?"], {
    out: (line) => void err.push(line),
    err: (line) => void err.push(line),
    env: { BECKON_TOKEN: "t", ...env },
    stopSignal: () => new AbortController().signal,
  });
  return { exitCode, err, ms: performance.now() - started };
}

test.each([
  // Nobody may connect to the address of all, so it fails as in a sandbox.
  ["the system refuses to connect", { BECKON_URL: "http://255.255.255.255:4780" }],
  [
    "Codex says that there is no network",
    { BECKON_URL: "http://127.0.0.1:1", CODEX_SANDBOX_NETWORK_DISABLED: "1" },
  ],
])("where %s, one sentence says why and what to allow, at once", async (_where, env) => {
  const { exitCode, err, ms } = await ask(env);
  expect(exitCode).toBe(1);
  expect(err).toEqual([
    "The sandbox of this command lets it open no network connections, so it cannot reach the " +
      `server of Beckon: allow it network access to ${new URL(env.BECKON_URL).host}, or run it ` +
      "outside the sandbox.",
  ]);
  expect(ms).toBeLessThan(1_500);
});

test("a server that is only away is not called a sandbox", async () => {
  const { exitCode, err } = await ask({ BECKON_URL: "http://127.0.0.1:1" });
  expect(exitCode).toBe(1);
  expect(err.join()).toMatch(/^The server of Beckon at http:\/\/127\.0\.0\.1:1 cannot be reached/);
});
