import {
  type ComponentType,
  createContext,
  useContext,
  useEffect,
  useLayoutEffect,
  useState,
} from "react";

const parts = new Set<() => Promise<unknown>>();

/** Loads what a page did not need at first, so that it is there when it is needed. */
export async function loadLater(): Promise<void> {
  await Promise.allSettled([...parts].map((load) => load()));
}

type Count = (change: (missing: number) => number) => void;

/** Counts the parts below it that are not drawn yet. */
export const MissingParts = /* @__PURE__ */ createContext<Count>(() => {});

/** Whether all parts are drawn that are below a `MissingParts` with this count. */
export function useDrawn(): [isDrawn: boolean, count: Count] {
  // One too many until those below had their turn to tell, which they have before this one.
  const [missing, count] = useState(1);
  useLayoutEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- that it is in the page is what is counted
    count((missing) => missing - 1);
    return () => count((missing) => missing + 1);
  }, []);
  return [missing === 0, count];
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
    const count = useContext(MissingParts);
    useLayoutEffect(() => {
      if (Part) return undefined;
      count((missing) => missing + 1);
      return () => count((missing) => missing - 1);
    }, [Part, count]);
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
