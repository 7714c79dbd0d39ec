import { useEffect, useRef, useState } from "react";
import { useBeckon } from "./transport-context.tsx";

/**
 * State that survives a reload and a switch of session, until its prompt is answered here.
 *
 * @param call with which the next prompt of the same call takes over what was not sent
 * @param toKeep what of it may be written down
 */
export function useDraft<State extends object>(
  id: string,
  initial: (kept: Partial<State>) => State,
  toKeep: (state: State) => object = (state) => state,
  call?: string,
): { state: State; touched: boolean; change: (part: Partial<State>) => void } {
  const { drafts, carried } = useBeckon();
  const [kept] = useState(
    () => (drafts.get(id) ?? carried.get(call ?? "")) as Partial<State> | undefined,
  );
  const [state, setState] = useState(() => initial(kept ?? {}));
  const touched = useRef(false);
  useEffect(() => {
    if (!touched.current) return;
    const toWrite = { ...toKeep(state) };
    drafts.set(id, toWrite);
    if (call !== undefined) carried.set(call, toWrite);
  }, [drafts, carried, id, call, state]);
  return {
    state,
    touched: touched.current || kept !== undefined,
    change(part) {
      touched.current = true;
      setState((before) => ({ ...before, ...part }));
    },
  };
}
