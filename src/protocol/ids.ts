import { z } from "zod";
import { LIMITS } from "./limits.ts";

/** An id that a client may make: it can stand in a URL, a file name or a log line as it is. */
export const ClientId = z
  .string()
  .regex(
    new RegExp(`^[A-Za-z0-9_-]{1,${LIMITS.idCharacters}}$`),
    `must be 1 to ${LIMITS.idCharacters} letters, digits, underscores or hyphens`,
  );

const reference = () => z.string().min(1).max(LIMITS.referenceCharacters);

/** An id that somebody else made; wider than ours, still bounded. */
export const ForeignId = reference();

/** An id of a tool call as a provider may have made it. */
export const ToolCallId = reference();
