import { Hono } from "hono";
import type { AppEnv, ServerParts } from "../parts.ts";

const NOT_BUILT =
  "The page has not been built. Run `npm run build`, then load this again. Everything else works without it.\n";

/** The page and its files: public, because they hold nothing; what they show they fetch signed in. */
export function pageRoutes({ page }: ServerParts): Hono<AppEnv> {
  return new Hono<AppEnv>().get("/*", async (c, next) => {
    const gzip = /\bgzip\b/.test(c.req.header("accept-encoding") ?? "");
    const file = await page.file(c.req.path, { gzip });
    if (!file) return c.req.path === "/" ? c.text(NOT_BUILT, 503) : next();
    c.header("Vary", "Accept-Encoding");
    if (file.encoding) c.header("Content-Encoding", file.encoding);
    if (file.immutable) c.header("Cache-Control", "public, max-age=31536000, immutable");
    return c.body(file.body, 200, { "Content-Type": file.type });
  });
}
