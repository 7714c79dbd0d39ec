import { createInterface } from "node:readline/promises";

/** @typedef {import("beckon/protocol").InteractionRecord} Prompt */

/**
 * Shows what waits in this console, one prompt after the other, and sends what is typed.
 *
 * @param {import("beckon/transport").Transport} transport
 */
export function createConsolePerson(transport) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  /** @type {Map<string, AbortController>} */
  const open = new Map();
  let asked = Promise.resolve();

  /** @param {Prompt} prompt */
  function take(prompt) {
    // Somebody answered elsewhere, or nobody is waiting any more.
    if (prompt.status !== "pending") return open.get(prompt.id)?.abort();
    if (open.has(prompt.id)) return;
    const over = new AbortController();
    open.set(prompt.id, over);
    asked = asked.then(() => answer(prompt, over.signal));
  }

  /** @param {Prompt} prompt @param {AbortSignal} signal */
  async function answer(prompt, signal) {
    for (;;) {
      const body = await read(prompt, signal).catch(() => undefined);
      if (signal.aborted) return console.log("\nThis was answered elsewhere.");
      // The console was closed: the prompt stays open.
      if (!body) return;
      const { id: interactionId, sessionId, toolCallId } = prompt;
      const reply = await transport.respond({ sessionId, toolCallId, interactionId }, body);
      if (reply.ok) return;
      console.log(reply.error, ...Object.values(reply.fieldErrors ?? {}));
      if (reply.code !== "invalid_response") return;
    }
  }

  /**
   * @param {Prompt} prompt @param {AbortSignal} signal
   * @returns {Promise<import("beckon/protocol").ResponseBody>}
   */
  async function read({ request }, signal) {
    if (request.interactionType === "approval") {
      console.log(`${request.toolName} would run with`, request.toolInput);
      const line = await terminal.question("Allow it? [y/N] ", { signal });
      return { action: /^y(es)?$/i.test(line.trim()) ? "approve" : "deny" };
    }
    if (request.prompt) console.log(request.prompt);
    /** @type {Record<string, unknown>} */
    const input = {};
    for (const { id, label } of request.inputSchema?.fields ?? []) {
      input[id] = await terminal.question(`${label} `, { signal });
    }
    return { action: "submit", input };
  }

  const unwatch = transport.watchInbox({ list: (all) => all.forEach(take), updated: take });
  return {
    /** Resolves when the console is closed: Ctrl+C, Ctrl+D, or `close`. */
    left: new Promise((resolve) => terminal.once("close", resolve)),
    close() {
      unwatch();
      terminal.close();
    },
  };
}
