import { useId } from "react";
import { visibleText } from "../client/index.ts";
import type { ApprovalModel } from "./use-approval.ts";

/** The input as JSON text. What stands here is what runs. */
export function EditInput({ model, autoFocus }: { model: ApprovalModel; autoFocus: boolean }) {
  const id = useId();
  const text = model.edited ?? "";
  const shown = visibleText(text, { multiline: true });
  const errors = Object.entries(model.card.fieldErrors);
  const wrong = model.editProblem !== undefined || errors.length > 0;
  return (
    <div className="bk-edit">
      <label htmlFor={id}>Input, edited (JSON): what stands here is what runs</label>
      <textarea
        id={id}
        rows={Math.min(20, text.split("\n").length + 1)}
        spellCheck={false}
        autoFocus={autoFocus}
        value={text}
        aria-invalid={wrong}
        aria-describedby={wrong ? `${id}e` : undefined}
        onChange={(event) => {
          for (const [path] of errors) model.card.clearError(path);
          model.setEdited(event.target.value);
        }}
      />
      {wrong && (
        <ul id={`${id}e`} className="bk-error">
          {model.editProblem !== undefined && <li>{model.editProblem}</li>}
          {errors.map(([path, error]) => (
            <li key={path}>{visibleText(path === "" ? error : `${path}: ${error}`)}</li>
          ))}
        </ul>
      )}
      {shown !== text && (
        <pre role="group" className="bk-code" aria-label="The same with hidden characters shown">
          {shown}
        </pre>
      )}
      <button
        type="button"
        onClick={() => {
          // This button is about to go, and the focus must not go with it.
          model.card.ref.current?.focus();
          model.setEdited(undefined);
        }}
      >
        Use the original
      </button>
    </div>
  );
}
