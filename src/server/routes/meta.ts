import { type Context, Hono } from "hono";
import { createAgentRecords } from "../agent-records.ts";
import { isPerson, personRequired } from "../access.ts";
import { createOpenApiDocument } from "../openapi/document.ts";
import type { AppEnv, ServerParts } from "../parts.ts";
import { readText, refused } from "../query.ts";

export function metaRoutes(parts: ServerParts): Hono<AppEnv> {
  const { core, plugins, version, log, clock } = parts;
  const agentRecords = createAgentRecords();
  let description: Record<string, unknown> | undefined;

  /** Costs a write, so only people may ask for it. */
  async function isWellNow(c: Context<AppEnv>): Promise<boolean> {
    if (!isPerson(c.get("who"))) throw personRequired();
    if (readText(c, "deep") !== "1") throw refused("deep", "can only be 1");
    try {
      await core.checkHealth();
      return true;
    } catch (error) {
      log.warn({ error }, "not healthy");
      return false;
    }
  }

  return new Hono<AppEnv>()
    .get("/openapi.json", (c) => c.json((description ??= createOpenApiDocument(version))))
    .get("/health", async (c) => {
      const isDeep = readText(c, "deep") !== undefined;
      if (isDeep ? await isWellNow(c) : core.isHealthy()) return c.json({ ok: true, version });
      c.header("Retry-After", "1");
      const sentence = "The store cannot be read or written. See the server's log.";
      return c.json({ ok: false, version, code: "store_unavailable", error: sentence }, 503);
    })
    .get("/agents", async (c) =>
      c.json({ agents: await agentRecords({ agents: core.agents, clock }) }),
    )
    .get("/nodes", async (c) => {
      if (!isPerson(c.get("who"))) throw personRequired();
      return c.json({ nodes: await core.nodes() });
    })
    .get("/plugins", (c) => c.json({ plugins: plugins.list() }));
}
