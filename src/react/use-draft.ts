import { useEffect, useRef, useState } from "react";
import type { InteractionView } from "../client/index.ts";
import { useBeckon } from "./transport-context.tsx";

/** Names an attempt at the same thing: this one, or the one after. */
export function attemptOf(sessionId: string, { callId, request }: InteractionView, later: 0 | 1) {
  return JSON.stringify([sessionId, callId, request.toolName, request.attempt + later]);
}

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
  const touched = useRef(false);
  useEffect(() => {
    if (!touched.current) return;
    const toWrite = { ...toKeep(state) };
    drafts.set(id, toWrite);
    if (attempts !== undefined) carried.set(attempts.next, toWrite);
  }, [drafts, carried, id, attempts?.next, state]);
  return {
    state,
    touched: touched.current || kept !== undefined,
    change(part) {
      touched.current = true;
      setState((before) => ({ ...before, ...part }));
    },
  };
}
