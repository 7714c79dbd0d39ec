import { useState } from "react";

/** Calls `then` while it draws with another value than before, so that nothing old is seen with it. */
export function useChange(value: string | boolean | undefined, then: () => void) {
  const [before, setBefore] = useState(value);
  if (before === value) return;
  setBefore(value);
  then();
}
