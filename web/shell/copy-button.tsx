import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { copyText } from "./copy-text.ts";

export function CopyButton({ text, what }: { text: string; what: string }) {
  const [state, setState] = useState<"ready" | "copied" | "failed">("ready");
  useEffect(() => {
    if (state === "ready") return undefined;
    const timer = setTimeout(() => setState("ready"), 2_000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () =>
    void copyText(text).then(
      () => setState("copied"),
      () => setState("failed"),
    );
  return (
    <button type="button" className="quiet-button" onClick={copy} aria-label={`Copy ${what}`}>
      {state === "copied" ? <Check aria-hidden size={14} /> : <Copy aria-hidden size={14} />}
      <span aria-live="polite">
        {state === "copied" ? "Copied" : state === "failed" ? "Could not copy" : "Copy"}
      </span>
    </button>
  );
}
