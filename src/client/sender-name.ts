import type { Sender } from "../protocol/index.ts";
import { visibleText } from "./visible-text.ts";

/**
 * How a screen names the sender of a message. Logs of version 0.1.0 name none.
 *
 * @param myId whoever looks at the screen, where the screen knows
 */
export function senderName(sender: Sender | undefined, myId?: string): string | undefined {
  if (sender === undefined) return undefined;
  if (sender.kind === "person" && sender.id === myId) return "You";
  const name = visibleText(sender.name ?? sender.id);
  return sender.kind === "machine" ? `Program “${name}”` : name;
}
