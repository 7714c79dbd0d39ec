import { z } from "zod";

/** An id that a client may make: it can stand in a URL, a file name or a log line as it is. */
export const ClientId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, underscores or hyphens");

/** An id of a tool call as a provider may have made it; wider than ours, still bounded. */
export const ToolCallId = z.string().min(1).max(200);
