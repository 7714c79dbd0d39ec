import { useSyncExternalStore } from "react";

/** Which part of the app the address names. */
export type Route =
  | { page: "home" }
  | { page: "inbox" }
  | { page: "allowed" }
  | { page: "session"; sessionId: string; interactionId?: string };

function parseRoute(hash: string): Route {
  const segments = hash.replace(/^#\/?/, "").split("/").map(decode);
  if (segments[0] === "inbox" || segments[0] === "allowed") return { page: segments[0] };
  if (segments[0] !== "s" || !segments[1]) return { page: "home" };
  const interactionId = segments[2] === "i" && segments[3] ? segments[3] : undefined;
  return { page: "session", sessionId: segments[1], interactionId };
}

export function addressOf(route: Route): string {
  if (route.page === "home") return "#/";
  if (route.page !== "session") return `#/${route.page}`;
  const session = `#/s/${encodeURIComponent(route.sessionId)}`;
  return route.interactionId ? `${session}/i/${encodeURIComponent(route.interactionId)}` : session;
}

export function goTo(route: Route): void {
  location.hash = addressOf(route);
}

export function useRoute(): Route {
  return parseRoute(useSyncExternalStore(listen, () => location.hash));
}

function listen(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}
