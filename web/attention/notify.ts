import type { InteractionRecord } from "../../src/protocol/index.ts";
import { toNotification, visibleText } from "../parts.ts";
import { addressOf } from "../route.ts";

/** Asks the browser to allow notifications. Resolves with why it may not, or with nothing. */
export async function askToNotify(): Promise<string | undefined> {
  if (!("Notification" in window)) {
    return isSecureContext
      ? "This browser cannot show notifications."
      : "Browsers show notifications only for pages on this machine or over https.";
  }
  const permission = await Notification.requestPermission();
  if (permission === "granted") return undefined;
  return permission === "denied"
    ? "Notifications are blocked in this browser's settings. Allow them for this site there, then try again."
    : "Notifications were not allowed. Switch this on again, and allow them when the browser asks.";
}

export function notify({ id, sessionId, request }: InteractionRecord, session?: string) {
  const { title, about } = toNotification(request);
  return show(title, {
    body: [about, session && visibleText(session)].filter((one) => one).join("\n"),
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
