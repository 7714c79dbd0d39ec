import { Hono } from "hono";
import { type ApprovalScope, AskBody, LIMITS, ResponseBody } from "../../protocol/index.ts";
import type { Core } from "../../core/index.ts";
import { personOnly } from "../access.ts";
import { Nothing, readBody } from "../body.ts";
import { readClientId } from "../client-id.ts";
import { whileGood } from "../held.ts";
import { readOrigin } from "../origin.ts";
import type { AppEnv, ServerParts } from "../parts.ts";
import { readInteger, readPage, readText, refused } from "../query.ts";

export function interactionRoutes({ core, clients }: ServerParts): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get("/", async (c) => {
      const status = readText(c, "status") ?? "pending";
      if (status !== "pending") throw refused("status", "can only be pending");
      const [sessionId, begins] = [readText(c, "sessionId"), readText(c, "begins")];
      if (sessionId !== undefined && begins !== undefined) {
        throw refused("begins", "looks in all sessions, so it cannot stand beside sessionId");
      }
      const query = { ...readPage(c), sessionId, begins };
      return c.json(await core.interactions(c.get("who"), query));
    })
    .post("/", async (c) => {
      const body = await readBody(c.req.raw, AskBody);
      const asked = await core.ask(c.get("who"), {
        ...toQuestion(body),
        origin: readOrigin(c),
      });
      return c.json(asked.interaction, asked.isNew ? 201 : 200);
    })
    .post("/:id/cancel", async (c) => {
      await readBody(c.req.raw, Nothing);
      return c.json(await core.cancelInteraction(c.get("who"), c.req.param("id")));
    })
    .get("/:id", async (c) => {
      const seconds = readInteger(c, "wait", { min: 1, max: LIMITS.waitMaxSeconds });
      const id = c.req.param("id");
      if (seconds === undefined) return c.json(await core.interaction(c.get("who"), id));
      const record = await whileGood(c, clients, (gone) =>
        core.interaction(c.get("who"), id, { waitMs: seconds * 1_000, gone }),
      );
      return c.json(record);
    })
    .post("/:id/respond", personOnly, async (c) => {
      const body = await readBody(c.req.raw, ResponseBody);
      const record = await core.respond(c.get("who"), {
        interactionId: c.req.param("id"),
        via: "http",
        clientId: readClientId(c),
        body,
      });
      return c.json(record);
    });
}

/**
 * A question as the core takes it, and nothing that was not asked for: facts stand on a card as the
 * server's own, so nobody outside can give them.
 */
function toQuestion(body: AskBody): Omit<Parameters<Core["ask"]>[1], "origin"> {
  const { sessionId, requestId, toolName, toolCallId, caller = {}, toolInput } = body;
  const { type, kind, prompt, changes, inputSchema, questions, link } = body;
  const { timeoutMs, presentation, completedView, whenUnavailable } = body;
  return {
    sessionId,
    requestId,
    toolName,
    toolCallId,
    caller,
    toolInput,
    prompt: {
      type,
      kind,
      prompt,
      changes,
      ...keptOnly(body),
      inputSchema,
      questions,
      link,
      timeoutMs,
      presentation,
      completedView,
      whenUnavailable,
    },
  };
}

/** Nothing remembers an approval of what a program outside asks: what it offers counts once. */
function keptOnly({ type, approvalScopes, approvalOptions }: AskBody) {
  if (type !== "approval") return {};
  const once: ApprovalScope[] = approvalScopes?.length === 0 ? [] : ["once"];
  if (!approvalOptions) return { approvalScopes: once };
  return {
    ...(approvalScopes ? { approvalScopes: once } : {}),
    approvalOptions: approvalOptions.map(({ scope: _scope, covers: _covers, ...rest }) => rest),
  };
}
