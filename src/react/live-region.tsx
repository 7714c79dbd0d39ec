import {
  createContext,
  type CSSProperties,
  type ReactNode,
  useCallback,
  useContext,
  useRef,
  useState,
} from "react";

/** Says a sentence to screen readers. What was said once of `what` is not said of it again. */
export type Announce = (sentence: string, what?: string) => void;

const AnnounceContext = createContext<Announce>(() => {});

/** Lets everything below it speak to screen readers. Apps without a stylesheet do not see it. */
export function LiveRegion({ children }: { children?: ReactNode }) {
  const [said, setSaid] = useState<{ id: number; sentence: string }[]>([]);
  const known = useRef(new Set<string>());
  const count = useRef(0);
  const announce = useCallback<Announce>((sentence, what) => {
    if (what) {
      const key = what + sentence;
      if (known.current.has(key)) return;
      known.current.add(key);
    }
    const id = ++count.current;
    // Several cards may speak at once, so each sentence is a node of its own and a few are kept.
    setSaid((before) => [...before.slice(-KEPT + 1), { id, sentence }]);
  }, []);
  return (
    <AnnounceContext value={announce}>
      {children}
      <div
        role="log"
        aria-live="polite"
        aria-label="Prompts"
        className="bk-live"
        data-beckon-live=""
        style={HIDDEN}
      >
        {said.map(({ id, sentence }) => (
          <p key={id}>{sentence}</p>
        ))}
      </div>
    </AnnounceContext>
  );
}

/** How a component speaks through the live region above it. */
export function useAnnounce(): Announce {
  return useContext(AnnounceContext);
}

/** As many prompts as a session may have open: all of them may be new at once. */
const KEPT = 20;

const HIDDEN: CSSProperties = {
  position: "absolute",
  // Where it stands by itself it would lengthen a page that is as high as its window.
  inset: 0,
  width: 1,
  height: 1,
  overflow: "hidden",
  clipPath: "inset(50%)",
  whiteSpace: "nowrap",
};
