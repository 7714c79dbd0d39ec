/*
 * Tabs of one browser share the server's news. Locks, which a browser frees when a tab is gone,
 * tell them apart without a word between them: who looks, and who calls.
 */
const LOOKED_AT = "beckon:looked-at";
const CALLS = "beckon:calls";

/** Where there are none (a page that is not served safely), each tab stands for itself. */
const locks = (): LockManager | undefined => navigator.locks;

/** Lets the other tabs know while this one is in sight. Returns how to stop that. */
export function tellWhileVisible(): () => void {
  let release = () => {};
  const changed = () => {
    release();
    release = () => {};
    if (document.hidden) return;
    const looked = new Promise<void>((resolve) => {
      release = resolve;
    });
    void locks()?.request(LOOKED_AT, { mode: "shared" }, () => looked);
  };
  changed();
  document.addEventListener("visibilitychange", changed);
  return () => {
    document.removeEventListener("visibilitychange", changed);
    release();
  };
}

/** Whether a person has this page before their eyes, in whichever tab. */
export async function isLookedAt(): Promise<boolean> {
  if (!document.hidden) return true;
  const { held = [] } = (await locks()?.query()) ?? {};
  return held.some(({ name }) => name === LOOKED_AT);
}

/**
 * Waits until this tab is the one of its browser that calls, so that all its tabs together call as
 * sparingly as one. Returns how to leave that to another.
 */
export function takeTurn(tell: (mine: boolean) => void): () => void {
  let leave = () => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const waiting = new AbortController();
  const manager = locks();
  if (!manager) tell(true);
  manager
    ?.request(CALLS, { signal: waiting.signal }, () => {
      tell(true);
      return left;
    })
    // It was left before its turn came.
    .catch(() => {});
  return () => {
    tell(false);
    waiting.abort();
    leave();
  };
}
