import {
  type ComponentType,
  createContext,
  useContext,
  useEffect,
  useLayoutEffect,
  useState,
} from "react";

const loaders = new Set<() => Promise<unknown>>();

/** Loads every component that is loaded on demand, so that it is there when a page needs it. */
export async function preloadComponents(): Promise<void> {
  await Promise.allSettled([...loaders].map((load) => load()));
}

type Count = (change: (missing: number) => number) => void;

/** Counts the components below it that are not drawn yet. */
export const MissingComponents = /* @__PURE__ */ createContext<Count>(() => {});

/** Whether all components are drawn that are below a `MissingComponents` with this count. */
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
 * A component that a page can be drawn without. One that cannot be loaded now (the server is away) says
 * so, and is tried again; nothing around it breaks.
 */
export function loadOnDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  const get = async () => (loaded ??= await load());
  loaders.add(get);
  return function OnDemand(props) {
    const [Loaded, setLoaded] = useState(() => loaded);
    const [failed, setFailed] = useState(false);
    const count = useContext(MissingComponents);
    useLayoutEffect(() => {
      if (Loaded) return undefined;
      count((missing) => missing + 1);
      return () => count((missing) => missing - 1);
    }, [Loaded, count]);
    useEffect(() => {
      if (Loaded || failed) return;
      get().then(
        (component) => setLoaded(() => component),
        () => setFailed(true),
      );
    }, [Loaded, failed]);
    if (Loaded) return <Loaded {...props} />;
    if (!failed) return <p className="bk-notice">Loading…</p>;
    return (
      <p className="bk-notice" role="alert">
        This could not be loaded.{" "}
        <button type="button" onClick={() => setFailed(false)}>
          Try again
        </button>
      </p>
    );
  };
}
