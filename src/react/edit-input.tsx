import { useEffect, useId, useRef } from "react";
import { visibleText } from "../client/index.ts";
import { runsCommand } from "../client/approval-title.ts";
import { ToolInput } from "./tool-input.tsx";
import type { ApprovalModel } from "./use-approval.ts";

const LABELS = {
  command: "Command: what stands here is what runs",
  input: "Input (JSON): what stands here is what runs",
};

const COMMAND = ["Command"] as const;
/** The command, and what is shown as the words of whoever calls it. */
const COMMAND_AND_SAID = ["Command", "Description"] as const;

/** The command, or the whole input as JSON. What stands here is what runs. */
export function EditInput({ model, takesFocus }: { model: ApprovalModel; takesFocus: boolean }) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const focusAtFirst = useRef(takesFocus);
  useEffect(() => {
    if (focusAtFirst.current) field.current?.focus();
  }, []);
  const { editing } = model;
  const text = model.edited ?? "";
  const shown = visibleText(text, { multiline: true });
  const errors = Object.entries(model.card.fieldErrors);
  const wrong = model.editProblem !== undefined || errors.length > 0;
  // The last button here is about to go, and the focus must not go with it.
  const keepFocus = () => model.card.ref.current?.focus();
  return (
    <div className="bk-edit">
      <label htmlFor={id}>{LABELS[editing]}</label>
      <textarea
        id={id}
        ref={field}
        rows={Math.min(20, text.split("\n").length + 1)}
        spellCheck={false}
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
      {editing === "command" && (
        <ToolInput
          value={model.input.value}
          label="And with"
          except={runsCommand(model.card.interaction.request.toolName) ? COMMAND_AND_SAID : COMMAND}
        />
      )}
      <div className="bk-buttons">
        <button
          type="button"
          data-decision="back"
          onClick={() => {
            keepFocus();
            model.setEdited(undefined);
          }}
        >
          Use the original
        </button>
        {editing === "command" && (
          <button type="button" onClick={() => model.startEdit?.("input")}>
            Edit all of it as JSON
          </button>
        )}
      </div>
    </div>
  );
}
