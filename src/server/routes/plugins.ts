import { type Context, Hono } from "hono";
import { z } from "zod";
import { ClientId, ForeignId, ProtocolError, toIssues } from "../../protocol/index.ts";
import { readBody } from "../body.ts";
import { readOrigin } from "../origin.ts";
import { whileGood } from "../held.ts";
import type { AppEnv, ServerParts } from "../parts.ts";
import { refused } from "../query.ts";

const Arguments = z.record(z.string(), z.unknown());

export function pluginRoutes({ core, plugins, clients }: ServerParts): Hono<AppEnv> {
  return new Hono<AppEnv>().post("/:plugin/operations/:operation", async (c) => {
    const input = await readBody(c.req.raw, Arguments);
    const named = readSessionId(c);
    const toolCallId = readCallId(c);
    const origin = readOrigin(c);
    const { plugin, operation } = c.req.param();
    const toolName = plugins.toolFor(plugin, operation);
    if (toolName === undefined) {
      throw new ProtocolError("not_found", `There is no operation ${plugin}/${operation}.`);
    }
    const who = c.get("who");
    const sessionId = named === OWN ? await core.ownSession(who) : named;
    const call = {
      sessionId,
      toolName,
      input,
      toolCallId,
      caller: readCaller(c),
      names: [plugin, operation],
      origin,
    };
    const end = await whileGood(
      c,
      clients,
      (gone) => core.callTool(who, { ...call, gone }),
      "x-tool-call-id",
    );
    if (end.ok) return c.json({ ok: true, result: end.result ?? null });
    const { message, code, issues } = end.error;
    return c.json({ ok: false, error: message, code, ...(issues && { issues }) });
  });
}

/** Where a caller who belongs to no conversation calls: as for a prompt without a session. */
const OWN = "own";

function readSessionId(c: Context<AppEnv>): string {
  const given = c.req.header("x-session-id") ?? c.get("who").sessionId ?? "";
  if (ForeignId.safeParse(given).success) return given;
  throw refused("x-session-id", "this header must name the session that the call belongs to");
}

function readCallId(c: Context): string | undefined {
  const given = c.req.header("x-tool-call-id");
  const { error, data } = ClientId.optional().safeParse(given);
  if (!error) return data;
  throw refused("x-tool-call-id", toIssues(error)[0]?.message ?? "");
}

/** What the caller says of the call that runs it. Only a hint: what cannot be read is not there. */
function readCaller(c: Context): { toolCallId?: string; command?: string } {
  const toolCallId = c.req.header("x-caller-tool-call-id");
  return { toolCallId, command: decoded(c.req.header("x-caller-command")) };
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
