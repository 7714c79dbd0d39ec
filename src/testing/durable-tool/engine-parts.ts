import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import type { AgentRuntime, Ids, Scope, Who } from "../../core/index.ts";

export const person: Who = {
  principalId: "tester",
  kind: "person",
  name: "Tester",
  tokenId: "token",
  sessionId: null,
};
export const quiet = { info: () => {}, warn: () => {}, error: () => {} };

export const noAgent: AgentRuntime = {
  id: "none",
  name: "None",
  description: "Has no turns.",
  capabilities: { reenter: "none", steer: false },
  run: async () => ({ status: "completed" }),
};

/** In the store things are named by where they are, what they are, their name and how often. */
function nameOf(key: string): string {
  return key.split("|").at(-2) ?? "";
}

export function stepName(key: string): string {
  return `the step "${nameOf(key)}"`;
}

export function promptName(key: string, keys: string[]): string {
  const name = nameOf(key).slice(1);
  return name === "" ? `prompt ${keys.indexOf(key) + 1}` : `"${name}"`;
}

export function countingIds(): Ids {
  let count = 0;
  return {
    next: () => `id-${String(++count).padStart(6, "0")}`,
    digest: (text) => createHash("sha256").update(text).digest("hex"),
  };
}

export function createScope<Value>(): Scope<Value> {
  const storage = new AsyncLocalStorage<Value>();
  return {
    run: (value, work) => storage.run(value, work),
    current: () => storage.getStore(),
  };
}
