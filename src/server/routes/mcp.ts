import { createHash } from "node:crypto";
import { type Context, Hono } from "hono";
import { z } from "zod";
import { ClientId, ProtocolError } from "../../protocol/index.ts";
import { readBody } from "../body.ts";
import { readClientId } from "../client-id.ts";
import { exchange, type Working } from "../mcp/exchange.ts";
import { MCP } from "../mcp/timing.ts";
import { Unheard } from "../mcp/unheard.ts";
import { toErrorResponse } from "../errors.ts";
import type { AppEnv, ServerParts } from "../parts.ts";
import { refused } from "../query.ts";

const Message = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.unknown().optional(),
  method: z.unknown().optional(),
  params: z.unknown().optional(),
});

/**
 * The Model Context Protocol as Streamable HTTP, without sessions of its own: each message stands for
 * itself, so any server that shares the store can answer it, also after a restart.
 */
export function mcpRoutes(parts: ServerParts): Hono<AppEnv> {
  const unheard = new Unheard();
  const working: Working = new Map();
  return new Hono<AppEnv>()
    .post("/", async (c) => {
      const message = await readBody(c.req.raw, Message);
      const caller = {
        who: c.get("who"),
        clientId: readClientId(c),
        requestId: readId(c, "x-request-id"),
        callerId: c.req.header("x-caller-tool-call-id"),
        // Said in the settings that Beckon starts its agents with; it gives no power.
        isRuntime: c.req.header("x-beckon-caller") === "runtime",
      };
      return exchange(c, parts, message, {
        ...caller,
        unheard,
        working,
        waitMs: readWait(c),
        secret: secretOf(c),
      });
    })
    .all("/", () => {
      const sentence =
        "Here messages are posted. Nothing else is kept that could be read or deleted.";
      const { headers, body } = toErrorResponse(
        new ProtocolError("not_found", sentence),
        parts.log,
      );
      headers.set("Allow", "POST");
      return new Response(body, { status: 405, headers });
    });
}

function readId(c: Context, name: string): string | undefined {
  const { data, success } = ClientId.optional().safeParse(c.req.header(name));
  if (success) return data;
  throw refused(name, "this header must be an id of letters, digits, _ and -");
}

/** How long a call may take before it says `pending`: `x-wait-ms`, a number or `never`. */
function readWait(c: Context): number | undefined {
  const given = c.req.header("x-wait-ms");
  if (given === undefined) return undefined;
  if (given === "never") return MCP.neverMs;
  const ms = Number(given);
  if (Number.isInteger(ms) && ms >= 0 && ms <= MCP.neverMs) return ms;
  throw refused("x-wait-ms", "this header must be a number of milliseconds, or never");
}

/** Known to whoever has the credential and to nobody else, at every node and after every restart. */
function secretOf(c: Context): string {
  const credential = c.req.header("authorization") ?? c.req.header("cookie") ?? "";
  return createHash("sha256").update(`mcp request state\n${credential}`).digest("hex");
}
