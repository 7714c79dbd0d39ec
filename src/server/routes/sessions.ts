import { type Context, Hono } from "hono";
import type { Core } from "../../core/index.ts";
import {
  ApproveBody,
  CancelBody,
  CreateSessionBody,
  DenyBody,
  LIMITS,
  MessageBody,
  PatchSessionBody,
  type ResponseBody,
  SubmitAnswersBody,
} from "../../protocol/index.ts";
import { personOnly } from "../access.ts";
import { readBody } from "../body.ts";
import { readClientId } from "../client-id.ts";
import { held } from "../held.ts";
import type { AppEnv, ServerParts } from "../parts.ts";
import { parseInteger, readInteger, readPage, refused, SEQ } from "../query.ts";
import { openEventStream } from "../sse.ts";
import { openTurnStream } from "../turn-stream.ts";

export function sessionRoutes(parts: ServerParts): Hono<AppEnv> {
  const { core, clients } = parts;
  return new Hono<AppEnv>()
    .post("/", async (c) => {
      const body = await readBody(c.req.raw, CreateSessionBody);
      return c.json(await core.createSession(c.get("who"), body), 201);
    })
    .get("/", async (c) => c.json(await core.sessions(c.get("who"), readPage(c))))
    .get("/:id", async (c) => {
      const { session, logId } = await core.session(c.get("who"), c.req.param("id"));
      return c.json({ ...session, logId });
    })
    .patch("/:id", personOnly, async (c) => {
      const body = await readBody(c.req.raw, PatchSessionBody);
      return c.json(await core.patchSession(c.get("who"), c.req.param("id"), body));
    })
    .delete("/:id", personOnly, async (c) => {
      await core.deleteSession(c.get("who"), c.req.param("id"));
      return c.json({ ok: true });
    })
    .get("/:id/events", async (c) => {
      const sessionId = c.req.param("id");
      const query = readEventsQuery(c);
      // A HEAD has no body to end, so a stream opened for one would stay open for ever.
      if (wantsStream(c) && c.req.method === "GET") {
        const lastEventId = c.req.header("last-event-id");
        const after = lastEventId ? parseInteger(lastEventId, "Last-Event-ID", SEQ) : query.after;
        return openEventStream(parts, c.get("who"), { sessionId, after });
      }
      const page = await held(c, clients, (gone) =>
        core.events(c.get("who"), { sessionId, ...query }, gone),
      );
      return c.body(toPageText(page), 200, { "Content-Type": "application/json" });
    })
    .post("/:id/messages", async (c) => {
      const { content, text, messageId, delivery } = await readBody(c.req.raw, MessageBody);
      const message = { text: content ?? text ?? "", messageId, delivery };
      const [who, sessionId] = [c.get("who"), c.req.param("id")];
      if (wantsStream(c)) return openTurnStream(parts, who, sessionId, message);
      const sent = await core.sendMessage(who, sessionId, message);
      return c.json({ messageId: sent.messageId }, 202);
    })
    .post("/:id/cancel", async (c) => {
      const { turnId } = await readBody(c.req.raw, CancelBody);
      const { stopped } = await core.cancel(c.get("who"), c.req.param("id"), turnId);
      return c.json({ ok: true, stopped });
    })
    .post("/:id/approve", personOnly, async (c) => {
      const { toolCallId, scope, ...body } = await readBody(c.req.raw, ApproveBody);
      await answer(c, "approval", toolCallId, {
        action: "approve",
        approvalScope: scope,
        updatedInput: body.updatedInput,
        responseId: body.responseId,
      });
      return c.json({ ok: true });
    })
    .post("/:id/deny", personOnly, async (c) => {
      const { toolCallId, reason, stop, responseId } = await readBody(c.req.raw, DenyBody);
      await answer(c, "approval", toolCallId, { action: "deny", reason, stop, responseId });
      return c.json({ ok: true });
    })
    .post("/:id/submit-answers", personOnly, async (c) => {
      const { toolCallId, answers, responseId } = await readBody(c.req.raw, SubmitAnswersBody);
      await answer(c, "questions", toolCallId, {
        action: "submit",
        input: { answers },
        responseId,
      });
      return c.json({ ok: true });
    });

  async function answer(
    c: Context<AppEnv>,
    kind: "approval" | "questions",
    toolCallId: string,
    body: ResponseBody,
  ): Promise<void> {
    await core.respondToCall(c.get("who"), {
      sessionId: c.req.param("id") ?? "",
      toolCallId,
      kind,
      via: "http",
      clientId: readClientId(c),
      body,
    });
  }
}

/** The events are JSON already. */
function toPageText({ events, ...rest }: Awaited<ReturnType<Core["events"]>>): string {
  return `{"events":[${events.join(",")}],${JSON.stringify(rest).slice(1)}`;
}

function wantsStream(c: Context): boolean {
  return c.req.header("accept")?.includes("text/event-stream") ?? false;
}

function readEventsQuery(c: Context): { after?: number; before?: number; limit: number } {
  const after = readInteger(c, "after", SEQ);
  const before = readInteger(c, "before", SEQ);
  if (after !== undefined && before !== undefined) {
    throw refused("before", "cannot stand together with after");
  }
  const limit = readInteger(c, "limit", { min: 1, max: LIMITS.eventsPageMax });
  return { after, before, limit: limit ?? LIMITS.eventsPageDefault };
}
