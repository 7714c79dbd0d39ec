import { type Context, Hono } from "hono";
import { z } from "zod";
import type { Departure, HookAsker } from "../../core/index.ts";
import { ClientId, LIMITS, ProtocolError } from "../../protocol/index.ts";
import { readBody } from "../body.ts";
import { whileGood } from "../held.ts";
import type { AppEnv, ServerParts } from "../parts.ts";
import { refused } from "../query.ts";

const Posted = z.record(z.string(), z.unknown());
/** A tool's input may be a whole file. */
const HOOK_LIMITS = { ...LIMITS, jsonStringBytes: LIMITS.toolInputBytes };

/**
 * Where agents that run by themselves ask through their hooks. The request is held until a person
 * has answered; `x-request-id` lets a caller whose line broke come back to the same prompt.
 */
export function hookRoutes({ core, clients, ids }: ServerParts): Hono<AppEnv> {
  return new Hono<AppEnv>().post("/:agent", async (c) => {
    const posted = await readBody(c.req.raw, Posted, LIMITS.toolInputBytes, HOOK_LIMITS);
    const agent = core.agents.get(c.req.param("agent"));
    if (!agent?.hook) {
      throw new ProtocolError("not_found", `There are no hooks for "${c.req.param("agent")}".`);
    }
    const who = c.get("who");
    const requestId = readRequestId(c) ?? ids.next();
    const timeoutMs = readTimeout(c);
    const hook = agent.hook.bind(agent);
    const answer = (gone: Departure) => {
      const ask: HookAsker["ask"] = (question) =>
        core.askAndWait(who, { ...question, requestId, origin: "http" }, gone);
      const decidedElsewhere: HookAsker["decidedElsewhere"] = (end) =>
        core.decidedElsewhere(who, requestId, end);
      const state = () => core.keptState(who);
      return hook(posted, { ask, decidedElsewhere, state, timeoutMs });
    };
    const reply = await whileGood(c, clients, answer, "x-request-id");
    return c.json(reply as object);
  });
}

function readRequestId(c: Context): string | undefined {
  const { data, success } = ClientId.optional().safeParse(c.req.header("x-request-id"));
  if (success) return data;
  throw refused("x-request-id", "this header must be an id of letters, digits, _ and -");
}

/** `x-timeout-ms`: a number, or `never`. */
function readTimeout(c: Context): number | null | undefined {
  const given = c.req.header("x-timeout-ms");
  if (given === undefined) return undefined;
  if (given === "never") return null;
  const ms = Number(given);
  if (Number.isInteger(ms) && ms >= LIMITS.timeoutMinMs && ms <= LIMITS.timeoutMaxMs) return ms;
  throw refused("x-timeout-ms", "this header must be a number of milliseconds, or never");
}
