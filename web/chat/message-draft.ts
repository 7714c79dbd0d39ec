import { useCallback, useState } from "react";

/** What was typed and not sent, kept over a reload. */
export function useMessageDraft(sessionId: string): [string, (text: string) => void] {
  const key = `beckon:message:${sessionId}`;
  const [text, setText] = useState(() => read(key));
  const set = useCallback(
    (next: string) => {
      setText(next);
      try {
        if (next) localStorage.setItem(key, next);
        else localStorage.removeItem(key);
      } catch {
        // Kept until the page closes, then.
      }
    },
    [key],
  );
  return [text, set];
}

function read(key: string): string {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}
