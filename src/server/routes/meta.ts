import { Hono } from "hono";
import { createOpenApiDocument } from "../openapi/document.ts";
import type { AppEnv, ServerParts } from "../parts.ts";

export function metaRoutes({ core, plugins, version, log }: ServerParts): Hono<AppEnv> {
  let description: Record<string, unknown> | undefined;
  return new Hono<AppEnv>()
    .get("/openapi.json", (c) => c.json((description ??= createOpenApiDocument(version))))
    .get("/health", async (c) => {
      try {
        await core.health();
        return c.json({ ok: true, version });
      } catch (error) {
        log.warn({ error }, "not healthy");
        c.header("Retry-After", "1");
        const sentence = "The store cannot be read or written. See the server's log.";
        return c.json({ ok: false, version, code: "store_unavailable", error: sentence }, 503);
      }
    })
    .get("/agents", (c) =>
      c.json({
        agents: core.agents.list().map(({ id, name, description, capabilities }) => ({
          id,
          name,
          description,
          capabilities,
        })),
      }),
    )
    .get("/plugins", (c) => c.json({ plugins: plugins.list() }));
}
