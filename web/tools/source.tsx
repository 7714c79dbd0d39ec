import type { ReactNode } from "react";
import { visibleText } from "../parts.ts";
import { CopyButton } from "../shell/copy-button.tsx";

export function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <p className="mb-1 truncate text-xs text-soft">{visibleText(label)}</p>
      {children}
    </div>
  );
}

/** Text as it is, whole, with what cannot be seen made visible. Copying gives the real text. */
export function Source({ text, what, prompt }: { text: string; what: string; prompt?: boolean }) {
  return (
    <div className="source">
      <pre tabIndex={0} role="group" aria-label={what} data-prompt={prompt}>
        {visibleText(text)}
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  );
}
