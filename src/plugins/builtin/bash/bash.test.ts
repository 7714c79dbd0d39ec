import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import type { ToolContext } from "../../../core/index.ts";
import type { CompleteBashArguments } from "./arguments.ts";
import { type BashToolOptions, createBashTool } from "./bash.ts";

/** Calls the tool. The journal outlives the call, as it does when a server dies. */
function call(
  args: Partial<CompleteBashArguments> & { command: string },
  options: BashToolOptions = {},
  journal = new Map<string, unknown>(),
) {
  const shown: string[] = [];
  const ctx = {
    sessionId: "session-1",
    toolCallId: "call-1",
    signal: new AbortController().signal,
    async step(name: string, fn: () => unknown) {
      if (!journal.has(name)) journal.set(name, await fn());
      return journal.get(name);
    },
    output: (text: string) => shown.push(text),
  } as unknown as ToolContext;
  const complete = { cwd: tmpdir(), ...args };
  const result = createBashTool(options).handler(complete as never, ctx) as Promise<{
    output: string;
  }>;
  return { result, shown };
}

/** Access that remembers whether it was taken back. */
function createAccess(env: Record<string, string> = {}) {
  const taken: unknown[] = [];
  const released: unknown[] = [];
  const machineAccess: BashToolOptions["machineAccess"] = async (who) => {
    taken.push(who);
    return {
      environment: (base) => ({ ...base, ...env }),
      release: async () => void released.push(who),
    };
  };
  return { taken, released, machineAccess };
}

test("it can be run again, and only takes what it knows", () => {
  const tool = createBashTool();
  expect(tool).toMatchObject({ name: "bash", version: "1", durable: "replay" });
  expect(tool.parameters).toMatchObject({ required: ["command"], additionalProperties: false });
});

test("a command that fails is a result like any other", async () => {
  const { result, shown } = call({ command: "echo out; echo err >&2; exit 3" });
  expect(await result).toEqual({
    exitCode: 3,
    output: "out\nerr\n",
    durationMs: expect.any(Number),
  });
  expect(shown.join("")).toBe("out\nerr\n");
});

test("a command whose time was up says so", async () => {
  const { result } = call({ command: "echo begun; sleep 1000", timeoutMs: 1_000 });
  expect(await result).toMatchObject({
    exitCode: null,
    timedOut: true,
    output: "begun\n",
    note: "It was stopped because it ran for more than 1000 ms.",
  });
});

test("a command that was killed says so", async () => {
  const { result } = call({ command: "kill -KILL $$" });
  expect(await result).toMatchObject({ signal: "SIGKILL", note: "It was ended by SIGKILL." });
});

test("a command that was begun before a restart is never run again", async () => {
  const journal = new Map<string, unknown>();
  const first = call({ command: "echo ran" }, {}, journal);
  expect((await first.result).output).toBe("ran\n");
  const { machineAccess, taken } = createAccess();
  const second = call({ command: "echo ran" }, { machineAccess }, journal);
  await expect(second.result).rejects.toMatchObject({ code: "tool_interrupted" });
  await expect(second.result).rejects.toThrow(/may have run in part and was not run again/);
  expect(second.shown).toEqual([]);
  expect(taken).toEqual([]);
});

test("a command can ask through the server, with an access of its own", async () => {
  const env = { BECKON_URL: "http://127.0.0.1:1", BECKON_TOKEN: "machine" };
  const { machineAccess, taken, released } = createAccess(env);
  const processEnv = { ...process.env, BECKON_TOKEN: "owner", BECKON_DATA: "/secret" };
  const command = 'env | grep "^BECKON_" | sort';
  const { result } = call({ command }, { machineAccess, processEnv });
  expect((await result).output.trim().split("\n")).toEqual([
    "BECKON_TOKEN=machine",
    "BECKON_URL=http://127.0.0.1:1",
  ]);
  expect(taken).toEqual([{ sessionId: "session-1", toolCallId: "call-1" }]);
  expect(released).toEqual(taken);
});

test("access is taken back when the command could not be started", async () => {
  const { machineAccess, taken, released } = createAccess();
  const { result } = call({ command: "true", cwd: "/does/not/exist" }, { machineAccess });
  await expect(result).rejects.toMatchObject({ code: "tool_error" });
  expect(taken).toHaveLength(1);
  expect(released).toEqual(taken);
});

test("no credential of the server is in the environment of a command", async () => {
  const secrets = {
    ANTHROPIC_API_KEY: "canary-1",
    GITHUB_TOKEN: "canary-2",
    BECKON_TOKEN: "canary-3",
    DATABASE_URL: "postgres://me:canary-4@db/x",
    npm_config__auth: "canary-5",
    SSH_AUTH_SOCK: "/canary-6",
    BASH_ENV: "/canary-7",
  };
  const processEnv = { PATH: process.env["PATH"], HOME: "/home/me", ...secrets };
  const { output } = await call({ command: "env" }, { processEnv }).result;
  expect(output).toContain("HOME=/home/me");
  expect(output).not.toContain("canary");
  expect(output).toContain("TERM=dumb");
});
