import { EventEmitter, on } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBeckon } from "beckon";
import { createDirectTransport } from "beckon/transport";

/**
 * What several examples stand on: a server of their own on a free port, and a session in it whose
 * agent calls the tools that an example brings along. Nothing of it stays behind.
 *
 * @param {Omit<import("beckon").BeckonOptions, "dataDir">} options
 */
export async function openStage(options) {
  const dataDir = mkdtempSync(join(tmpdir(), "beckon-example-"));
  const beckon = await createBeckon({ dataDir, ...options });
  for (const { plugin, message } of beckon.pluginProblems) {
    console.error(`The plugin ${plugin} was skipped. ${message}`);
  }
  const { url } = await beckon.listen({ host: "127.0.0.1", port: 0 });
  // As long as this is open somebody counts as there, so that tools ask before the page is open.
  const transport = createDirectTransport({ ...beckon, token: beckon.ownerToken });
  const { id } = await transport.createSession({ title: "The example" });

  const heard = new EventEmitter();
  const events = on(heard, "event", { close: ["stop"] });
  transport.subscribe(
    id,
    { after: 0 },
    {
      started() {},
      event: (event) => heard.emit("event", event),
      failed: ({ error }) => heard.emit("error", new Error(error)),
    },
  );
  const stop = () => heard.emit("stop");
  process.once("SIGINT", stop).once("SIGTERM", stop);

  return {
    url,
    /** An address that signs a browser in, once, within a minute. */
    signInUrl: () => beckon.signInUrl(),
    /** What to do first, for the terminal. */
    invitation: async () => `Open this within a minute, and answer what is asked there:

  ${await beckon.signInUrl()}

For a fresh address: node bin/beckon.js open --data ${dataDir}
Ctrl+C ends it.
`,
    /** Sends a message to the demo agent. */
    say: (/** @type {string} */ text) => transport.sendMessage(id, { text }),
    /** What happens in the session, from its start until Ctrl+C. */
    async *events() {
      for await (const [event] of events) {
        yield /** @type {import("beckon/protocol").ChatEvent} */ (event);
      }
    },
    async close() {
      transport.close();
      await beckon.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}
