import { ForeignId, FrameRef, parseJson, ProtocolError } from "../protocol/index.ts";

/** A frame before its schema has been looked at: enough to know what it is and how to reply. */
export interface RawFrame {
  type: unknown;
  ref?: FrameRef;
  value: Record<string, unknown>;
}

/**
 * What a text that was refused says of itself. Only its sender hears of it, who would otherwise not
 * know which of its frames that was and wait for a reply for ever.
 */
export function glimpseFrame(text: string): RawFrame | undefined {
  try {
    return toRawFrame(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function readFrame(text: string): RawFrame {
  return toRawFrame(parseJson(text));
}

function toRawFrame(value: unknown): RawFrame {
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw new ProtocolError("invalid_request", "A frame is a JSON object with a type.");
  }
  const frame = value as Record<string, unknown>;
  // Most frames have no `ref`, and an error about that is dear to make.
  const ref = frame["ref"] === undefined ? undefined : FrameRef.safeParse(frame["ref"]).data;
  return { type: frame["type"], ref, value: frame };
}

/** A text of the frame, if it is one that could be an id. */
export function textOf(frame: RawFrame, key: string): string | undefined {
  return ForeignId.safeParse(frame.value[key]).data;
}
