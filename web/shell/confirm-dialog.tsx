import { useEffect, useRef, useState } from "react";

export function ConfirmDialog(props: {
  title: string;
  text: string;
  action: string;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [problem, setProblem] = useState<string>();
  useEffect(() => dialog.current?.showModal(), []);
  const confirm = () =>
    void props.onConfirm().then(
      () => dialog.current?.close(),
      (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    );
  return (
    <dialog ref={dialog} className="modal" aria-labelledby="confirm-title" onClose={props.onClose}>
      <h2 id="confirm-title" className="mb-2 text-lg font-semibold">
        {props.title}
      </h2>
      <p className="mb-5 text-soft">{props.text}</p>
      {problem && (
        <p role="alert" className="mb-3 text-danger">
          {problem}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <button className="button" autoFocus onClick={() => dialog.current?.close()}>
          Keep it
        </button>
        <button className="button button-danger" onClick={confirm}>
          {props.action}
        </button>
      </div>
    </dialog>
  );
}
