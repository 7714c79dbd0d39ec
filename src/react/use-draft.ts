import { useEffect, useState } from "react";
import { useBeckon } from "./transport-context.tsx";

/**
 * State that survives a reload and a switch of session, until its prompt is answered here.
 *
 * @param toKeep what of it may be written down
 * @param attempts what was not sent in the one before is taken over, and handed to the next
 */
export function useDraft<State extends object>(
  id: string,
  initial: (kept: Partial<State>) => State,
  toKeep: (state: State) => object = (state) => state,
  attempts?: { now: string; next: string },
): { state: State; touched: boolean; change: (part: Partial<State>) => void } {
  const { drafts, carried } = useBeckon();
  const [kept] = useState(
    () => (drafts.get(id) ?? carried.get(attempts?.now ?? "")) as Partial<State> | undefined,
  );
  const [state, setState] = useState(() => initial(kept ?? {}));
  const [touched, setTouched] = useState(false);
  const next = attempts?.next;
  useEffect(() => {
    if (!touched) return;
    const toWrite = { ...toKeep(state) };
    drafts.set(id, toWrite);
    if (next !== undefined) carried.set(next, toWrite);
    // oxlint-disable-next-line react/exhaustive-deps -- another `toKeep` is no change to write down
  }, [drafts, carried, id, next, touched, state]);
  return {
    state,
    touched: touched || kept !== undefined,
    change(part) {
      setTouched(true);
      setState((before) => ({ ...before, ...part }));
    },
  };
}
