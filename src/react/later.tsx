import { type ComponentType, useEffect, useState } from "react";

const parts = new Set<() => Promise<unknown>>();

/** Loads what a page did not need at first, so that it is there when it is needed. */
export async function loadLater(): Promise<void> {
  await Promise.allSettled([...parts].map((load) => load()));
}

/**
 * A part that a page can be drawn without. One that cannot be loaded now (the server is away) says
 * so, and is tried again; nothing around it breaks.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  const get = async () => (loaded ??= await load());
  parts.add(get);
  return function Later(props) {
    const [Part, setPart] = useState(() => loaded);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      if (Part || failed) return;
      get().then(
        (part) => setPart(() => part),
        () => setFailed(true),
      );
    }, [Part, failed]);
    if (Part) return <Part {...props} />;
    if (!failed) return <p className="bk-notice">Loading…</p>;
    return (
      <p className="bk-notice" role="alert">
        This part could not be loaded.{" "}
        <button type="button" onClick={() => setFailed(false)}>
          Try again
        </button>
      </p>
    );
  };
}
