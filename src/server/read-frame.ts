import { ForeignId, FrameRef, parseJson, ProtocolError } from "../protocol/index.ts";

/** A frame before its schema has been looked at: enough to know what it is and how to reply. */
export interface RawFrame {
  type: unknown;
  ref?: FrameRef;
  value: Record<string, unknown>;
}

export function readFrame(text: string): RawFrame {
  const value = parseJson(text);
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw new ProtocolError("invalid_request", "A frame is a JSON object with a type.");
  }
  const frame = value as Record<string, unknown>;
  return { type: frame["type"], ref: FrameRef.safeParse(frame["ref"]).data, value: frame };
}

/** A text of the frame, if it is one that could be an id. */
export function textOf(frame: RawFrame, key: string): string | undefined {
  return ForeignId.safeParse(frame.value[key]).data;
}
