import { toNotification, visibleText } from "../../src/client/index.ts";
import type { InteractionRecord } from "../../src/protocol/index.ts";
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

/** Takes the place of the one before; `alert` says whether that is shown and heard anew. */
export function notifyOfMany(count: number, latest: InteractionRecord, alert: boolean) {
  const { title, about } = toNotification(latest.request);
  const many = {
    title: `${count} prompts wait for you`,
    body: `The latest: ${about}\nOpen the inbox to answer them.`,
  };
  const said = count === 1 ? { title, body: about } : many;
  return show(said.title, {
    body: said.body,
    tag: "beckon:many",
    address: addressOf({ page: "inbox" }),
    alert,
  });
}

interface Shown {
  body: string;
  tag: string;
  address: string;
  alert?: boolean;
}

function show(title: string, { body, tag, address, alert = false }: Shown) {
  try {
    // TypeScript's library does not know `renotify`, which Chrome and Firefox do.
    const options = { body, tag, icon: "/icon.svg", renotify: alert };
    const note = new Notification(title, options);
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
