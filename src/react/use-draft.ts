import { useEffect, useRef, useState } from "react";
import { useBeckon } from "./transport-context.tsx";

/**
 * State that survives a reload and a switch of session, until its prompt is answered here.
 *
 * @param toKeep what of it may be written down
 */
export function useDraft<State extends object>(
  id: string,
  initial: (kept: Partial<State>) => State,
  toKeep: (state: State) => object = (state) => state,
): { state: State; touched: boolean; change(part: Partial<State>): void } {
  const { drafts } = useBeckon();
  const [kept] = useState(() => drafts.get(id) as Partial<State> | undefined);
  const [state, setState] = useState(() => initial(kept ?? {}));
  const touched = useRef(false);
  useEffect(() => {
    if (touched.current) drafts.set(id, { ...toKeep(state) });
  }, [drafts, id, state]);
  return {
    state,
    touched: touched.current || kept !== undefined,
    change(part) {
      touched.current = true;
      setState((before) => ({ ...before, ...part }));
    },
  };
}
