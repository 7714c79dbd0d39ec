import { useCallback, useState } from "react";
import { useDrafts } from "../personal.tsx";

/** What was typed and not sent, kept over a reload. */
export function useMessageDraft(sessionId: string): [string, (text: string) => void] {
  const drafts = useDrafts();
  const [text, setText] = useState(() => drafts.message(sessionId));
  const set = useCallback(
    (next: string) => {
      setText(next);
      drafts.setMessage(sessionId, next);
    },
    [drafts, sessionId],
  );
  return [text, set];
}
