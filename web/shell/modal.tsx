import { type ReactNode, useEffect, useId, useRef } from "react";

/** The browser's own modal dialog: it keeps the focus inside, and gives it back when it closes. */
export function Modal(props: {
  title: string;
  onClose: () => void;
  children: (close: () => void) => ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="modal" aria-labelledby={id} onClose={props.onClose}>
      <h2 id={id} className="mb-2 text-lg font-semibold break-words">
        {props.title}
      </h2>
      {/* oxlint-disable-next-line react/refs -- only what is pressed calls it */}
      {props.children(() => dialog.current?.close())}
    </dialog>
  );
}
