import { z } from "zod";
import { EVENT_PAYLOADS, HTTP_STATUS, Presentation } from "../../protocol/index.ts";

/*
 * Replies that the server makes and nobody has to read: they are described here for the reference
 * alone, and a test holds them against what really comes.
 */

export const Principal = z.looseObject({
  id: z.string(),
  kind: z.enum(["person", "machine"]),
  name: z.string(),
  sessionId: z.string().optional(),
});

export const Plugin = z.looseObject({
  id: z.string(),
  version: z.string(),
  description: z.string().optional(),
  settingsSchema: z.record(z.string(), z.unknown()).optional(),
  operations: z.array(
    z.looseObject({
      id: z.string(),
      summary: z.string(),
      inputSchema: z.record(z.string(), z.unknown()),
      outputSchema: z.record(z.string(), z.unknown()).optional(),
      toolName: z.string(),
      durable: z.enum(["replay", "orphan"]),
      presentation: Presentation.optional(),
      timeoutMs: z.number().optional(),
    }),
  ),
});

const envelope = {
  id: z.string(),
  seq: z.number().int().positive(),
  sessionId: z.string(),
  timestamp: z.iso.datetime(),
  turnId: z.string().optional(),
  responseId: z.string().optional(),
};

/** One entry of a session's log, of any type. */
export const ChatEvent = z.union(
  Object.entries(EVENT_PAYLOADS).map(([type, payload]) =>
    z.looseObject({ ...envelope, type: z.literal(type), payload }),
  ),
);

export const ErrorReply = z.looseObject({
  error: z.string().describe("What happened, and what to do."),
  // No enum: a client made from it would break on a code that came later.
  code: z
    .string()
    .describe(
      `One of ${Object.keys(HTTP_STATUS).join(", ")}. docs/reference/errors.md explains each.`,
    ),
});
