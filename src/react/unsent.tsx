import type { ReactNode } from "react";

/** What a person entered when the prompt ended without it: it stays readable, to be used elsewhere. */
export function Unsent({ children }: { children: ReactNode }) {
  return (
    <details>
      <summary>What you had entered, not sent</summary>
      {children}
    </details>
  );
}
