/*
 * Tabs of one browser share the server's news. Locks, which a browser frees when a tab is gone,
 * tell them apart without a word between them: who looks, and who has called already.
 */
const LOOKED_AT = "beckon:looked-at";

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

/** Takes it upon this tab to call for a prompt, until `over`; false if another one has. */
export function claim(interactionId: string, over: Promise<void>): Promise<boolean> {
  const manager = locks();
  if (!manager) return Promise.resolve(true);
  return new Promise((resolve) => {
    const name = `beckon:call:${interactionId}`;
    void manager.request(name, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock ? over : undefined;
    });
  });
}
