import { type Context, Hono } from "hono";
import { ProtocolError } from "../protocol/index.ts";
import { signedIn } from "./access.ts";
import { toErrorResponse } from "./errors.ts";
import { checkHostAndOrigin, type Hosts } from "./guard.ts";
import { headersOf, setSafetyHeaders } from "./headers.ts";
import { metered } from "./metered.ts";
import type { AppEnv, ServerParts } from "./parts.ts";
import { authRoutes } from "./routes/auth.ts";
import { grantRoutes } from "./routes/grants.ts";
import { hookRoutes } from "./routes/hooks.ts";
import { interactionRoutes } from "./routes/interactions.ts";
import { mcpRoutes } from "./routes/mcp.ts";
import { metaRoutes } from "./routes/meta.ts";
import { pageRoutes } from "./routes/page.ts";
import { pluginRoutes } from "./routes/plugins.ts";
import { sessionRoutes } from "./routes/sessions.ts";

const NO_UPGRADE =
  "The WebSocket is here, and this request asked for none. A proxy in between must pass on Upgrade and Connection.";

const MCP = "/mcp";

const isOpenToAll = (path: string) => !path.startsWith("/api") && path !== MCP;

/**
 * The HTTP entrance. Checks run in the promised order because each stands in front of the next:
 * Host and Origin, the credential, then in each route who may (person), the body, and last the core.
 */
export function createApp(parts: ServerParts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.onError((error) => toErrorResponse(error, parts.log));
  app.notFound((c) => {
    const sentence =
      c.req.path === "/ws" ? NO_UPGRADE : `There is no ${c.req.method} ${c.req.path}.`;
    return toErrorResponse(new ProtocolError("not_found", sentence), parts.log);
  });

  app.use(async (c, next) => {
    const outgoing = c.env?.outgoing;
    if (outgoing) {
      // The headers of Node cost less than those of the web, of which others would be made anew.
      setSafetyHeaders(headersOf(outgoing), c.req.path);
      return next();
    }
    await next();
    setSafetyHeaders(c.res.headers, c.req.path);
  });
  app.use((c, next) => {
    const origin = c.req.header("origin");
    // The page may be come to from anywhere; it holds nothing.
    const site = isOpenToAll(c.req.path) ? undefined : c.req.header("sec-fetch-site");
    const { host, hosts } = addressOf(c, parts.hosts);
    checkHostAndOrigin({ host, origin, site }, hosts);
    return next();
  });
  for (const guarded of ["/api/*", MCP]) {
    app.use(guarded, signedIn(parts));
    app.use(guarded, metered(parts));
  }

  app.route("/api", metaRoutes(parts));
  app.route("/api", authRoutes(parts));
  app.route("/api/sessions", sessionRoutes(parts));
  app.route("/api/interactions", interactionRoutes(parts));
  app.route("/api/grants", grantRoutes(parts));
  app.route("/api/plugins", pluginRoutes(parts));
  app.route("/api/hooks", hookRoutes(parts));
  app.route(MCP, mcpRoutes(parts));
  app.route("/", pageRoutes(parts));
  return app;
}

/** Without a Host header it came from our own process, where there is no port to be right about. */
function addressOf(c: Context<AppEnv>, hosts: Hosts): { host: string; hosts: Hosts } {
  const host = c.req.header("host");
  if (host) return { host, hosts };
  const url = new URL(c.req.url);
  return { host: url.host, hosts: { ...hosts, port: Number(url.port || 80) } };
}
