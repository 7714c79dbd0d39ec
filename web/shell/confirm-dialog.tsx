import { useState } from "react";
import { Modal } from "./modal.tsx";

export function ConfirmDialog(props: {
  title: string;
  text: string;
  action: string;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}) {
  const [problem, setProblem] = useState<string>();
  const confirm = (close: () => void) =>
    void props
      .onConfirm()
      .then(close, (error: unknown) =>
        setProblem(error instanceof Error ? error.message : String(error)),
      );
  return (
    <Modal title={props.title} onClose={props.onClose}>
      {(close) => (
        <>
          <p className="mb-5 text-soft">{props.text}</p>
          {problem && (
            <p role="alert" className="mb-3 text-danger">
              {problem}
            </p>
          )}
          <div className="flex justify-end gap-2">
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog begins at what does no harm */}
            <button className="button" autoFocus onClick={close}>
              Keep it
            </button>
            <button className="button button-danger" onClick={() => confirm(close)}>
              {props.action}
            </button>
          </div>
        </>
      )}
    </Modal>
  );
}
