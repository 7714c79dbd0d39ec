import { z } from "zod";
import { SessionStatus } from "./events.ts";
import { LIMITS } from "./limits.ts";
import { ApprovalScope, InteractionRequest } from "./request.ts";
import { Action, InteractionResponse } from "./response.ts";

/** By its agent's own name. `PERMISSION_MODES` are those that every agent without modes takes. */
export const PermissionMode = z.string().min(1).max(LIMITS.idCharacters);
export type PermissionMode = z.infer<typeof PermissionMode>;

/** What Claude calls its modes. Agents that have none ignore them. */
export const PERMISSION_MODES = [
  "default",
  "acceptEdits",
  "plan",
  "bypassPermissions",
  "dontAsk",
  "auto",
] as const;

export const SessionRecord = z.looseObject({
  id: z.string(),
  title: z.string(),
  agent: z.string(),
  cwd: z.string().optional(),
  model: z.string().optional(),
  permissionMode: PermissionMode,
  status: SessionStatus,
  /** How many of its prompts are open. */
  pendingCount: z.number(),
  lastSeq: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type SessionRecord = z.infer<typeof SessionRecord>;

export const InteractionStatus = z.enum([
  "pending",
  "answered",
  "timed_out",
  "cancelled",
  "failed",
  "superseded",
  "decided_elsewhere",
]);
export type InteractionStatus = z.infer<typeof InteractionStatus>;

export const Waiting = z.enum(["live", "queued", "orphaned"]);
export type Waiting = z.infer<typeof Waiting>;

export const InteractionRecord = z.looseObject({
  id: z.string(),
  sessionId: z.string(),
  toolCallId: z.string(),
  toolName: z.string(),
  status: InteractionStatus,
  waiting: Waiting,
  request: InteractionRequest,
  response: InteractionResponse.optional(),
  /** With `decided_elsewhere`: what was decided there. */
  action: Action.optional(),
  createdAt: z.string(),
  expiresAt: z.string().optional(),
  endedAt: z.string().optional(),
  result: z.unknown().optional(),
});
export type InteractionRecord = z.infer<typeof InteractionRecord>;

export const GrantRecord = z.looseObject({
  id: z.string(),
  toolName: z.string(),
  key: z.string(),
  scope: ApprovalScope,
  sessionId: z.string().optional(),
  by: z.string(),
  byName: z.string().optional(),
  createdAt: z.string(),
  expiresAt: z.string().optional(),
});
export type GrantRecord = z.infer<typeof GrantRecord>;

/** One of the servers that share a store. */
export const NodeRecord = z.looseObject({
  id: z.string(),
  name: z.string(),
  host: z.string(),
  version: z.string(),
  startedAt: z.string(),
  seenAt: z.string(),
  live: z.boolean(),
});
export type NodeRecord = z.infer<typeof NodeRecord>;
