import { endWords } from "./end-words.ts";
import { summaryOf } from "./summary.ts";
import type { ChatView, ToolCallView } from "./view.ts";

/** How a call ended that did not do its work, in words. */
export interface CallEnd {
  words: string;
  /** Something went wrong. A person's no, a time-out or a stop is none of that. */
  isFault: boolean;
}

/** Of a person's no it says whose; missing while the call runs and where it did its work. */
export function callEnd(view: ChatView, call: ToolCallView, clientId: string): CallEnd | undefined {
  if (!call.error) return undefined;
  const words = endWords(call.error.code);
  if (words === undefined) return { words: "Failed", isFault: true };
  const no = call.interactionIds
    .flatMap((id) => view.interactions.get(id) ?? [])
    .findLast(
      ({ response, action = response?.action, request }) => action === "deny" && !request.anchored,
    );
  const isNo = call.error.code === "tool_denied" || call.error.code === "tool_cancelled";
  return { words: isNo && no ? summaryOf(no, clientId) : words, isFault: false };
}
