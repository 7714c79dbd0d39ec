/**
 * Calls `reconnect` when a page has its network back, or is looked at again: a phone that slept
 * has lines that nobody told it are dead. Does nothing where there is no page.
 */
export function whenBack(reconnect: () => void): () => void {
  const page = globalThis.document;
  const onShow = () => {
    if (page.visibilityState === "visible") reconnect();
  };
  globalThis.addEventListener?.("online", reconnect);
  page?.addEventListener("visibilitychange", onShow);
  return () => {
    globalThis.removeEventListener?.("online", reconnect);
    page?.removeEventListener("visibilitychange", onShow);
  };
}
