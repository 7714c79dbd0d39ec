import { randomUUID } from "node:crypto";
import type { Context } from "hono";
import { meterOf } from "../meter.ts";
import type { AppEnv, ServerParts } from "../parts.ts";
import type { Answer } from "./outcome.ts";
import type { Visit } from "./serve.ts";

/** Messages that are being answered, by how their clients name them: to be cancelled by that. */
export type Working = Map<string, () => void>;

/**
 * Answers one message, for as long as its caller is there, its credential is good and the server does
 * not stop. Who asked something is known to have heard the answer when all of the reply has left.
 */
export async function exchange(
  c: Context<AppEnv>,
  parts: ServerParts,
  message: { method?: unknown; id?: unknown; params?: unknown },
  { working, ...given }: Omit<Visit, "parts" | "answers"> & { working: Working },
): Promise<Response> {
  const { who, unheard } = given;
  const free = parts.clients.hold(who);
  const stop = new AbortController();
  const leave = parts.clients.add({ tokenId: who.tokenId, end: () => stop.abort() });
  // Before 2026-07-28 a client cancels by a message of its own, and says so which session it is in.
  const session = c.req.header(SESSION);
  const name = (id: unknown) => `${who.principalId}/${session}/${JSON.stringify(id)}`;
  const { requestId } = Object(message.params) as { requestId?: unknown };
  if (session !== undefined) {
    if (message.method === "notifications/cancelled") working.get(name(requestId))?.();
    else if (message.id !== undefined) working.set(name(message.id), () => stop.abort());
  }
  let settle = (_arrived: boolean) => {};
  const over = new Promise<boolean>((resolve) => (settle = resolve));
  void over.then(() => {
    if (session !== undefined) working.delete(name(message.id));
    leave();
    free();
  });
  const visit: Visit = {
    ...given,
    parts,
    answers(answer) {
      unheard.add(
        answer.question,
        over.then((arrived) => markHeard(parts, visit, answer, arrived)),
      );
    },
  };
  try {
    // The library is loaded when somebody first needs it.
    const { serve } = await import("./serve.ts");
    const { url, method, headers } = c.req.raw;
    const response = await serve(
      visit,
      new Request(url, { method, headers, signal: stop.signal }),
      message,
    );
    if (message.method === "initialize") response.headers.set(SESSION, randomUUID());
    return followed(c, parts, response, { stop: () => stop.abort(), settle });
  } catch (error) {
    settle(false);
    throw error;
  }
}

/** It only tells the clients of one credential apart; nothing is kept under it. */
const SESSION = "mcp-session-id";

async function markHeard(
  { core, log }: ServerParts,
  { who }: Visit,
  { interactionId }: Answer,
  arrived: boolean,
): Promise<void> {
  if (!arrived) return;
  await core.markHeard(who, interactionId).catch((error: unknown) => {
    log.warn({ error, interactionId }, "it could not be written down that an answer was heard");
  });
}

/** The reply, with an eye on whether it leaves: where it is measured by its connection, by that. */
function followed(
  c: Context<AppEnv>,
  { core }: ServerParts,
  response: Response,
  { stop, settle }: { stop: () => void; settle: (arrived: boolean) => void },
): Response {
  const outgoing = c.env?.outgoing;
  let isWhole = response.body === null;
  const hangUp = () => {
    settle(false);
    stop();
  };
  // In our own process nothing else tells of a caller who has not begun to read.
  if (!outgoing) c.req.raw.signal.addEventListener("abort", hangUp, { once: true });
  outgoing?.once("close", () => {
    settle(isWhole && outgoing.writableFinished);
    stop();
  });
  if (!response.body) {
    if (!outgoing) settle(true);
    return response;
  }
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  const meter = isStream ? meterOf(core.quotas, c.get("who")) : undefined;
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (!done) {
          meter?.sent(value.byteLength);
          controller.enqueue(value);
          return;
        }
        isWhole = true;
        controller.close();
        if (!outgoing) settle(true);
      },
      async cancel() {
        hangUp();
        await reader.cancel().catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status: response.status, headers: response.headers });
}
