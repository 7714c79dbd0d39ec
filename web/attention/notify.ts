import type { InteractionRecord } from "../../src/protocol/index.ts";
import { visibleText } from "../parts.ts";
import { addressOf } from "../route.ts";

/** Asks the browser for leave to notify. Resolves with why it may not, or with nothing. */
export async function askToNotify(): Promise<string | undefined> {
  if (!("Notification" in window)) {
    return isSecureContext
      ? "This browser cannot show notifications."
      : "Browsers show notifications only for pages on this machine or over https.";
  }
  const permission = await Notification.requestPermission();
  if (permission === "granted") return undefined;
  return permission === "denied"
    ? "Your browser blocks notifications of this page. Allow them in its settings for this site, then try again."
    : "Your browser was not given leave to notify. Try again, and allow it.";
}

/** A question is not a permission: the two read differently at a glance. */
export function notify({ id, sessionId, toolName, request }: InteractionRecord, session?: string) {
  const approval = request.interactionType === "approval";
  const text = request.prompt ?? request.questions?.[0]?.question ?? request.inputSchema?.title;
  return show(approval ? `May ${visibleText(toolName)} run?` : "A question for you", {
    body: [text?.slice(0, 200), session].flatMap((one) => (one ? visibleText(one) : [])).join("\n"),
    tag: id,
    address: addressOf({ page: "session", sessionId, interactionId: id }),
  });
}

export function notifyOfMany(count: number) {
  return show(`${count} prompts wait for you`, {
    body: "Open the inbox to answer them.",
    tag: "beckon:many",
    address: addressOf({ page: "inbox" }),
  });
}

function show(title: string, about: { body: string; tag: string; address: string }) {
  try {
    const { body, tag, address } = about;
    const note = new Notification(title, { body, tag, icon: "/icon.svg" });
    note.addEventListener("click", () => {
      window.focus();
      location.hash = address;
      note.close();
    });
    return note;
  } catch {
    // Some phones have the constructor, and refuse to be called by it.
    return undefined;
  }
}
