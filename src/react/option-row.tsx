import type { ComponentProps, ReactNode } from "react";
import { visibleText } from "../client/index.ts";

interface OptionRowProps extends Pick<
  ComponentProps<"input">,
  "type" | "name" | "checked" | "onChange" | "aria-invalid"
> {
  /** Its place among the others: the first nine are chosen by their digit. */
  at: number;
  label: string;
  description?: string;
  /** What belongs to it and is no part of its label. */
  children?: ReactNode;
}

/** One option of a question or a field: all of the row can be pressed. */
export function OptionRow({ at, label, description, children, ...input }: OptionRowProps) {
  return (
    <div className="bk-option">
      <label data-key={at < 9 ? at + 1 : undefined}>
        <input {...input} data-beckon-option="" /> <span>{visibleText(label)}</span>{" "}
        {description !== undefined && <small>{visibleText(description)}</small>}
      </label>
      {children}
    </div>
  );
}
