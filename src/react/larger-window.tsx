import { useEffect, useId, useRef } from "react";
import { visibleText } from "../client/index.ts";

interface LargerWindowProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  onClose: () => void;
}

/** The same text in a window of its own, for long answers. Closing it keeps the text. */
export function LargerWindow({ label, value, onChange, onClose }: LargerWindowProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className="bk-dialog"
      aria-labelledby={id}
      onClose={onClose}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) dialog.current?.close();
      }}
    >
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
    </dialog>
  );
}
