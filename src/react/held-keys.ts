import type { KeyboardEvent } from "react";
import { hasModifier } from "./card-keys.ts";

/** Not a plain press: with another key, held down, or the end of a composed word. */
export function isHeldOrComposed(event: KeyboardEvent): boolean {
  return hasModifier(event) || event.shiftKey || event.repeat || event.nativeEvent.isComposing;
}
