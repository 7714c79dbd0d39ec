import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBeckon } from "beckon";
import { createDirectTransport } from "beckon/transport";

/**
 * Starts a server with an example, lets the demo agent call its tool, and tells what happens until
 * Ctrl+C. Nothing of it stays behind.
 *
 * @param {{
 *   message: string,
 *   next: () => string,
 *   plugins?: string[],
 *   tools?: import("beckon").ToolDefinition[],
 * }} example `message` goes to the demo agent; `next` says what to try after each call
 */
export async function tryIt({ message, next, plugins, tools }) {
  const dataDir = mkdtempSync(join(tmpdir(), "beckon-example-"));
  const beckon = await createBeckon({ dataDir, plugins, tools });
  for (const { plugin, message: why } of beckon.pluginProblems) {
    console.error(`The plugin ${plugin} was skipped. ${why}`);
  }
  const { url } = await beckon.listen({ host: "127.0.0.1", port: 0 });
  const code = await beckon.credentials.createSigninCode();
  console.log(`Open this within a minute, and answer what is asked there:

  ${url}/#code=${code}

For a fresh address: node bin/beckon.js open --data ${dataDir}
Ctrl+C ends it.
`);

  const transport = createDirectTransport({ ...beckon, token: beckon.ownerToken });
  const { id } = await transport.createSession({ title: "The example" });
  const listener = {
    started() {
      transport.sendMessage(id, { text: message, messageId: "first" }).catch(console.error);
    },
    /** @param {{ type: string, payload: any }} event */
    event({ type, payload }) {
      if (type === "interaction_request") console.log(`${payload.toolName} asks, and waits.`);
      if (type === "interaction_response") console.log(`Somebody answered: ${payload.action}`);
      if (type === "tool_result") console.log(`${told(payload)}\n\n${next()}\n`);
    },
    failed: console.error,
  };
  transport.subscribe(id, { after: 0 }, listener);

  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  transport.close();
  await beckon.close();
  rmSync(dataDir, { recursive: true });
}

/** @param {{ toolName: string, ok: boolean, result?: unknown, error?: any }} end */
function told({ toolName, ok, result, error }) {
  if (ok) return `${toolName} returned ${JSON.stringify(result)}`;
  return `${toolName} ended without a result (${error.code}): ${error.message}`;
}
