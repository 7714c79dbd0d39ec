import type { InteractionRequest } from "../protocol/index.ts";
import { isConfirmation } from "./approval-title.ts";

/** A program outside asks: what it makes of a yes is not known here, only what it asked. */
export function isFromOutside(request: InteractionRequest): boolean {
  return isConfirmation(request) || request.context?.askedBy !== undefined;
}
