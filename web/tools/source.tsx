import type { ReactNode } from "react";
import { visibleText } from "../../src/client/index.ts";
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
export function Source(props: {
  text: string;
  what: string;
  /** It is a command. */
  prompt?: boolean;
  /** It tells of something that went wrong. */
  failed?: boolean;
}) {
  const { text, what, prompt, failed } = props;
  return (
    <div className="source" data-failed={failed}>
      <pre tabIndex={0} role="group" aria-label={what} data-prompt={prompt}>
        {visibleText(text, { multiline: true })}
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  );
}
