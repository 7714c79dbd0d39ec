import { ProtocolError } from "../../protocol/index.ts";

/** The driver cuts text at a NUL, so that a look-up of "a\0b" would find "a". */
export function refuseNul(text: string): void {
  if (!text.includes("\0")) return;
  throw new ProtocolError("invalid_request", "Text must not contain the character U+0000.");
}
