import { X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";

/** The browser's own modal dialog: it keeps the focus inside, and gives it back when it closes. */
export function Drawer(props: { open: boolean; onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (props.open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [props.open]);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- a click beside it closes it as Escape does
    <dialog
      ref={dialog}
      className="drawer"
      aria-label="Sessions"
      onClose={props.onClose}
      onClick={(event) => {
        if (event.target === dialog.current) props.onClose();
      }}
    >
      {props.open && (
        <>
          <button
            className="icon-button absolute top-2.5 right-2"
            aria-label="Close"
            onClick={props.onClose}
          >
            <X aria-hidden size={18} />
          </button>
          {props.children}
        </>
      )}
    </dialog>
  );
}
