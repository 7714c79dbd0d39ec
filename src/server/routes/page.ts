import { Hono } from "hono";
import type { AppEnv, ServerParts } from "../parts.ts";

/** The page and its files: public, because they hold nothing; what they show they fetch signed in. */
export function pageRoutes({ page }: ServerParts): Hono<AppEnv> {
  return new Hono<AppEnv>().get("/*", (c, next) => {
    const file = page.file(c.req.path);
    if (!file) return next();
    return c.body(file.body, 200, { "Content-Type": file.type });
  });
}
