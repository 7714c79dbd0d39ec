import { type FrameRef, parseJson, ProtocolError } from "../protocol/index.ts";

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
  const { type, ref } = frame;
  const isRef = typeof ref === "number" || (typeof ref === "string" && ref.length <= 200);
  return { type, ref: isRef ? ref : undefined, value: frame };
}

/** A text of the frame, if it is one that could be an id. */
export function textOf(frame: RawFrame, key: string): string | undefined {
  const value = frame.value[key];
  return typeof value === "string" && value.length > 0 && value.length <= 200 ? value : undefined;
}
