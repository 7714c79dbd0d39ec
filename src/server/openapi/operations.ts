import { z } from "zod";
import {
  AgentRecord,
  ApproveBody,
  AskBody,
  CancelBody,
  CreateSessionBody,
  DenyBody,
  type ErrorCode,
  ExchangeBody,
  GrantRecord,
  NodeRecord,
  InteractionRecord,
  LIMITS,
  MessageBody,
  PatchSessionBody,
  ResponseBody,
  SessionRecord,
  SubmitAnswersBody,
} from "../../protocol/index.ts";
import { Nothing } from "../body.ts";
import { ChatEvent, Plugin, Principal } from "./replies.ts";

/** One request that the server answers, as the reference describes it. */
export interface Operation {
  /** As the routes name it: `GET /api/sessions/:id`. */
  route: string;
  summary: string;
  description?: string;
  /** @default credential */
  needs?: "nothing" | "credential" | "person";
  query?: Record<string, { schema: z.ZodType; description: string }>;
  headers?: Record<string, { schema: z.ZodType; description: string }>;
  body?: z.ZodType;
  /** What it answers when it went well, by status. */
  replies: Record<number, { description: string; schema: z.ZodType }>;
  /** What it answers instead, with `Accept: text/event-stream`. */
  stream?: string;
  /** Errors that are its own, beside those that every request may get. */
  errors?: ErrorCode[];
}

const Ok = z.looseObject({ ok: z.literal(true) });
const SignedIn = z.looseObject({ ok: z.literal(true), principal: Principal });
const ok = { 200: { description: "Done.", schema: Ok } };
const seconds = z.number().int().min(1).max(LIMITS.waitMaxSeconds);
const seq = z.number().int().min(0);

const PAGE: Operation["query"] = {
  cursor: {
    schema: z.string().max(LIMITS.queryCharacters),
    description: "What the page before gave as `next`.",
  },
  limit: {
    schema: z.number().int().min(1).max(LIMITS.listPageMax),
    description: "How many at most.",
  },
};

const ANSWERING: ErrorCode[] = [
  "already_answered",
  "interaction_closed",
  "stale_interaction",
  "invalid_response",
];

export const OPERATIONS: Operation[] = [
  {
    route: "GET /api/health",
    summary: "Whether the server and its store are well",
    description:
      "Tells what the server last learned of its store, and reads and writes nothing. With `deep=1`, which only people may ask for, it tries the store now.",
    needs: "nothing",
    query: { deep: { schema: z.literal("1"), description: "Try the store now; for people." } },
    replies: {
      200: {
        description: "It is well.",
        schema: z.looseObject({ ok: z.literal(true), version: z.string() }),
      },
      503: {
        description: "The store cannot be read or written.",
        schema: z.looseObject({ ok: z.literal(false), version: z.string(), code: z.string() }),
      },
    },
  },
  {
    route: "GET /api/openapi.json",
    summary: "This description",
    replies: { 200: { description: "OpenAPI 3.1.", schema: z.looseObject({}) } },
  },
  {
    route: "POST /api/auth/exchange",
    summary: "Trade a sign-in code for a cookie",
    description: "A code works once, within a minute.",
    needs: "nothing",
    body: ExchangeBody,
    replies: { 200: { description: "Signed in; the cookie is set.", schema: SignedIn } },
  },
  {
    route: "POST /api/auth/signin",
    summary: "Trade a person's token for a cookie",
    needs: "person",
    body: Nothing,
    replies: { 200: { description: "Signed in; the cookie is set.", schema: SignedIn } },
  },
  {
    route: "POST /api/auth/signout",
    summary: "End this browser's sign-in",
    body: Nothing,
    replies: ok,
  },
  {
    route: "GET /api/auth/me",
    summary: "Who I am",
    replies: {
      200: { description: "Who asks.", schema: z.looseObject({ principal: Principal }) },
    },
  },
  {
    route: "GET /api/agents",
    summary: "The agents that a session can be with",
    description:
      "Each with whether what it needs is on the server's machine, and what it lets people choose, as far as that is known.",
    replies: {
      200: { description: "All of them.", schema: z.looseObject({ agents: z.array(AgentRecord) }) },
    },
  },
  {
    route: "GET /api/nodes",
    summary: "The servers that share the store",
    needs: "person",
    replies: {
      200: {
        description: "All of them, the oldest first.",
        schema: z.looseObject({ nodes: z.array(NodeRecord) }),
      },
    },
  },
  {
    route: "GET /api/plugins",
    summary: "The plugins and their operations",
    replies: {
      200: { description: "All of them.", schema: z.looseObject({ plugins: z.array(Plugin) }) },
    },
  },
  {
    route: "POST /api/plugins/:plugin/operations/:operation",
    summary: "Run an operation as a tool call",
    description:
      "The body is the operation's arguments. The reply comes when the call has ended, which may take as long as people take. A caller that hangs up and is not back with the same id in a minute withdraws its call.",
    headers: {
      "x-session-id": {
        schema: z.string(),
        description:
          "The session that the call belongs to; a token that is bound to one needs none.",
      },
      "x-tool-call-id": {
        schema: z.string(),
        description:
          "The call's id: the same again is the same call. The id of a running call of another tool: its prompts belong to that one.",
      },
      "x-caller-tool-call-id": {
        schema: z.string(),
        description:
          "The call that runs the caller, if it knows: its prompts belong to that one while it runs. Only a hint.",
      },
      "x-caller-command": {
        schema: z.string(),
        description:
          "The caller's command line, percent-encoded: by its words the call that runs it is found. Only a hint.",
      },
    },
    body: z.record(z.string(), z.unknown()),
    replies: {
      200: {
        description: "It has ended, well or with an error of its own.",
        schema: z.union([
          z.looseObject({ ok: z.literal(true), result: z.unknown() }),
          z.looseObject({
            ok: z.literal(false),
            error: z.string(),
            code: z.string(),
            issues: z
              .array(z.object({ path: z.string(), message: z.string() }))
              .optional()
              .describe("With `invalid_arguments`: each field that is wrong."),
          }),
        ]),
      },
    },
    errors: ["session_not_found", "not_found", "request_changed", "too_many"],
  },
  {
    route: "POST /api/sessions",
    summary: "Start a session",
    body: CreateSessionBody,
    replies: { 201: { description: "The new session.", schema: SessionRecord } },
  },
  {
    route: "GET /api/sessions",
    summary: "The sessions, the one that changed last first",
    query: PAGE,
    replies: {
      200: {
        description: "A page of them.",
        schema: z.looseObject({ sessions: z.array(SessionRecord), next: z.string().optional() }),
      },
    },
  },
  {
    route: "GET /api/sessions/:id",
    summary: "One session",
    replies: { 200: { description: "The session.", schema: SessionRecord } },
    errors: ["session_not_found"],
  },
  {
    route: "PATCH /api/sessions/:id",
    summary: "Rename it, or change how its agent runs",
    needs: "person",
    body: PatchSessionBody,
    replies: { 200: { description: "The session as it is now.", schema: SessionRecord } },
    errors: ["session_not_found"],
  },
  {
    route: "DELETE /api/sessions/:id",
    summary: "Delete it: its run stops, its prompts close",
    needs: "person",
    replies: ok,
    errors: ["session_not_found"],
  },
  {
    route: "GET /api/sessions/:id/events",
    summary: "The log of a session",
    query: {
      after: { schema: seq, description: "Only events after this `seq`." },
      before: { schema: seq, description: "The last events before this `seq`; not with `after`." },
      limit: {
        schema: z.number().int().min(1).max(LIMITS.eventsPageMax),
        description: `How many at most; ${LIMITS.eventsPageDefault} if it is not given. A page also ends at about 4 MiB.`,
      },
    },
    headers: {
      "last-event-id": { schema: seq, description: "Where a stream goes on, as `after`." },
    },
    replies: {
      200: {
        description: "A page of the log.",
        schema: z.looseObject({
          events: z.array(ChatEvent),
          lastSeq: z.number(),
          logId: z.string(),
        }),
      },
    },
    stream:
      "The events as they come: `id:` the seq, `data:` the event. Transient ones have no id and are not stored.",
    errors: ["session_not_found", "resync"],
  },
  {
    route: "POST /api/sessions/:id/messages",
    summary: "Send a message",
    body: MessageBody,
    replies: {
      202: { description: "It is stored.", schema: z.looseObject({ messageId: z.string() }) },
    },
    stream: "The turn that it starts, as stream events, until `done`. Hanging up does not stop it.",
    errors: ["session_not_found", "message_id_reused", "too_many"],
  },
  {
    route: "POST /api/sessions/:id/cancel",
    summary: "Stop the running turn",
    body: CancelBody,
    replies: {
      200: {
        description: "Whether there was one to stop.",
        schema: z.looseObject({ ok: z.literal(true), stopped: z.boolean() }),
      },
    },
    errors: ["session_not_found"],
  },
  {
    route: "POST /api/sessions/:id/approve",
    summary: "Approve what a call asks",
    needs: "person",
    body: ApproveBody,
    replies: ok,
    errors: ["session_not_found", "no_pending_interaction", ...ANSWERING],
  },
  {
    route: "POST /api/sessions/:id/deny",
    summary: "Deny what a call asks",
    needs: "person",
    body: DenyBody,
    replies: ok,
    errors: ["session_not_found", "no_pending_interaction", ...ANSWERING],
  },
  {
    route: "POST /api/sessions/:id/submit-answers",
    summary: "Answer the questions of a call",
    needs: "person",
    body: SubmitAnswersBody,
    replies: ok,
    errors: ["session_not_found", "no_pending_interaction", ...ANSWERING],
  },
  {
    route: "GET /api/interactions",
    summary: "What waits for people, over all sessions, oldest first",
    query: {
      ...PAGE,
      status: { schema: z.literal("pending"), description: "Only what is open; nothing else yet." },
      sessionId: { schema: z.string(), description: "Only of this session." },
      begins: {
        schema: z.string(),
        description: "In place of what waits, every prompt whose id begins so, ended ones too.",
      },
    },
    replies: {
      200: {
        description: "A page of it.",
        schema: z.looseObject({
          interactions: z.array(InteractionRecord),
          next: z.string().optional(),
        }),
      },
    },
  },
  {
    route: "POST /api/interactions",
    summary: "Ask people from outside",
    description:
      "The answer waits in the record. The same `requestId` and body again give the same prompt.",
    body: AskBody,
    replies: {
      200: { description: "It was asked before.", schema: InteractionRecord },
      201: { description: "It is asked now.", schema: InteractionRecord },
    },
    errors: ["session_not_found", "request_changed", "interaction_unavailable", "too_many"],
  },
  {
    route: "GET /api/interactions/:id",
    summary: "One prompt, and its answer",
    query: {
      wait: { schema: seconds, description: "Hold the reply this many seconds while it is open." },
    },
    replies: { 200: { description: "The prompt as it is.", schema: InteractionRecord } },
    errors: ["interaction_not_found"],
  },
  {
    route: "POST /api/interactions/:id/respond",
    summary: "Answer a prompt",
    needs: "person",
    body: ResponseBody,
    replies: { 200: { description: "The prompt, answered.", schema: InteractionRecord } },
    errors: ["interaction_not_found", ...ANSWERING],
  },
  {
    route: "POST /api/interactions/:id/cancel",
    summary: "Withdraw what you asked",
    body: Nothing,
    replies: { 200: { description: "The prompt, closed.", schema: InteractionRecord } },
    errors: ["interaction_not_found", "already_answered", "interaction_closed"],
  },
  {
    route: "GET /api/grants",
    summary: "The approvals that are remembered",
    needs: "person",
    query: PAGE,
    replies: {
      200: {
        description: "A page of them, oldest first.",
        schema: z.looseObject({ grants: z.array(GrantRecord), next: z.string().optional() }),
      },
    },
  },
  {
    route: "DELETE /api/grants/:id",
    summary: "Revoke one",
    needs: "person",
    replies: ok,
    errors: ["not_found"],
  },
  {
    route: "POST /api/hooks/:agent",
    summary: "Answer a hook of an agent that runs by itself",
    description: "What it posts, and what it is told, are as that agent's hooks are.",
    headers: {
      "x-request-id": {
        schema: z.string(),
        description: "The same again finds the same prompt, or its answer.",
      },
      "x-timeout-ms": { schema: z.string(), description: "How long people have, or `never`." },
    },
    body: z.record(z.string(), z.unknown()),
    replies: { 200: { description: "What the agent is told.", schema: z.looseObject({}) } },
    errors: ["not_found", "request_changed"],
  },
  {
    route: "POST /mcp",
    summary: "The Model Context Protocol, as Streamable HTTP",
    description:
      "One message of JSON-RPC, of 2026-07-28 or of the versions before it. `GET` and `DELETE` get 405: there are no sessions to read or to end.",
    headers: {
      "x-client-id": {
        schema: z.string(),
        description: "Tells the programs of one credential apart.",
      },
      "x-request-id": {
        schema: z.string(),
        description: "The same again is the same call of an operation.",
      },
      "x-wait-ms": {
        schema: z.string(),
        description: "How long a call may take before it says `pending`, or `never`.",
      },
    },
    body: z.looseObject({ jsonrpc: z.literal("2.0") }),
    replies: {
      200: { description: "What the message was for.", schema: z.looseObject({}) },
      202: { description: "A message that needs no reply.", schema: z.looseObject({}) },
    },
    stream: "the reply, and before it what is told meanwhile",
  },
];
