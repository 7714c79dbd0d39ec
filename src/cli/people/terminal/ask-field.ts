import { type FieldValue, isList, isTick } from "../../../client/form-values.ts";
import { type Asked, progressLines, waysToPick } from "./asked.ts";
import { type TerminalUi, layoutOf } from "./terminal-ui.ts";
import { editLine } from "./edit-line.ts";
import { type FieldStep, isPicked, problemOf, shapeOf } from "./form-steps.ts";
import { hint, quoted } from "./layout.ts";
import { pick } from "./pick.ts";

/** Asks for one field until what is there fits, or the person goes elsewhere. */
export async function askField(
  ui: TerminalUi,
  step: FieldStep,
  asked: Asked<FieldValue>,
): Promise<{ value: FieldValue } | "back" | "escape"> {
  let { value, error } = asked;
  for (;;) {
    const given = await askOnce(ui, step, { ...asked, value, error });
    if (given === "back" || given === "escape") return given;
    value = given.value;
    error = problemOf(step, value);
    if (error === undefined) return { value };
  }
}

async function askOnce(
  ui: TerminalUi,
  step: FieldStep,
  asked: Asked<FieldValue>,
): Promise<{ value: FieldValue } | "back" | "escape"> {
  const { field } = step;
  const { value, signal } = asked;
  const [above, below] = [linesAbove(ui, step, asked), linesBelow(ui, step, asked)];
  if (!isPicked(field)) {
    const typed = await editLine(ui, {
      above,
      below,
      signal,
      value: String(value),
      secret: field.type === "secret",
      multiline: field.type === "textarea",
    });
    return typeof typed === "string" ? typed : { value: typed.text };
  }
  const options = optionsOf(step);
  const isChosen = (one: string | boolean) =>
    Array.isArray(value) ? value.includes(String(one)) : value === one;
  const chosen = options.flatMap((option, at) => (isChosen(option.value) ? [at] : []));
  const many = isList(field);
  const picked = await pick(ui, { above, below, options, many, chosen, signal });
  if (typeof picked === "string") return picked;
  const values = picked.flatMap((at) => options[at]?.value ?? []);
  return { value: many ? values.map(String) : (values[0] ?? "") };
}

interface Option {
  value: string | boolean;
  label: string;
  description?: string;
}

function optionsOf({ field }: FieldStep): Option[] {
  if (isTick(field)) {
    return [
      { value: true, label: "Yes" },
      { value: false, label: "No" },
    ];
  }
  const options = field.options ?? [];
  const none = { value: "", label: "Leave it empty" };
  return field.required || isList(field) ? options : [...options, none];
}

function linesAbove(
  ui: TerminalUi,
  { field, section }: FieldStep,
  asked: Asked<unknown>,
): string[] {
  const layout = layoutOf(ui);
  const { style } = layout;
  const isFirst = section.fields[0]?.id === field.id;
  const optional = section.optional ? " (you may leave this section empty)" : "";
  const title = `${section.title ?? ""}${optional}`.trim();
  return [
    ...(title === "" ? [] : quoted(title, layout, style.cyan)),
    ...(isFirst && section.description ? quoted(section.description, layout, style.dim) : []),
    ...quoted(`${field.label}${field.required ? " (needed)" : ""}`, layout, style.bold),
    ...(field.description ? quoted(field.description, layout, style.dim) : []),
    ...progressLines(asked, layout),
  ];
}

function linesBelow(ui: TerminalUi, { field }: FieldStep, { at, error }: Asked<unknown>): string[] {
  const layout = layoutOf(ui);
  const shape = shapeOf(field);
  const picks = isPicked(field);
  const back = at > 0 ? ` · ${picks ? "Shift+Tab" : "↑"} field before` : "";
  const newLine = field.type === "textarea" ? " · Alt+Enter new line" : "";
  const ways = picks ? waysToPick(isList(field)) : "Enter goes on";
  return [
    ...(error === undefined ? [] : quoted(error, layout, layout.style.red)),
    ...(shape === "" ? [] : quoted(shape, layout, layout.style.dim)),
    ...hint(`${ways}${newLine}${back} · Esc other ways`, layout),
  ];
}
