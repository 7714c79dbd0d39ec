import { Hono } from "hono";
import { personOnly } from "../access.ts";
import type { AppEnv, ServerParts } from "../parts.ts";
import { readPage } from "../query.ts";

export function grantRoutes({ core }: ServerParts): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get("/", personOnly, async (c) => c.json(await core.grants(c.get("who"), readPage(c))))
    .delete("/:id", personOnly, async (c) => {
      await core.revokeGrant(c.get("who"), c.req.param("id"));
      return c.json({ ok: true });
    });
}
