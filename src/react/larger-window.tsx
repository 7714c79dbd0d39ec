import { useEffect, useId, useRef, useState } from "react";
import { visibleText } from "../client/index.ts";

interface LargerWindowProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** The same text in a window of its own, for long answers. Closing it keeps the text. */
export function LargerWindow({ label, value, onChange }: LargerWindowProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (open) dialog.current?.showModal();
  }, [open]);
  return (
    <>
      <button
        type="button"
        className="bk-larger"
        aria-label={`Larger window for ${visibleText(label)}`}
        onClick={() => setOpen(true)}
      >
        Larger window
      </button>
      <dialog
        ref={dialog}
        className="bk-dialog"
        aria-labelledby={id}
        onClose={() => setOpen(false)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) dialog.current?.close();
        }}
      >
        {open && (
          <>
            <label id={id} htmlFor={`${id}text`}>
              {visibleText(label)}
            </label>
            <textarea
              id={`${id}text`}
              rows={20}
              value={value}
              onChange={(event) => onChange(event.target.value)}
            />
            <button type="button" onClick={() => dialog.current?.close()}>
              Done
            </button>
          </>
        )}
      </dialog>
    </>
  );
}
