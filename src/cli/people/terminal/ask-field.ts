import { type Asked, progressLines, waysToPick } from "./asked.ts";
import { type Desk, paperOf } from "./desk.ts";
import { editLine } from "./edit-line.ts";
import {
  type FieldStep,
  fromText,
  isBlank,
  isChoice,
  isList,
  isTick,
  problemOf,
  shapeOf,
} from "./form-steps.ts";
import { hint, quoted } from "./layout.ts";
import { pick } from "./pick.ts";

/** Asks for one field until what is there fits, or the person goes elsewhere. */
export async function askField(
  desk: Desk,
  step: FieldStep,
  asked: Asked,
): Promise<{ value: unknown } | "back" | "escape"> {
  let { value, error } = asked;
  for (;;) {
    const given = await askOnce(desk, step, { ...asked, value, error });
    if (given === "back" || given === "escape") return given;
    value = given.value;
    error = problemOf(step, value);
    if (error === undefined) return { value };
  }
}

async function askOnce(
  desk: Desk,
  step: FieldStep,
  asked: Asked,
): Promise<{ value: unknown } | "back" | "escape"> {
  const { field } = step;
  const { value, signal } = asked;
  const [above, below] = [linesAbove(desk, step, asked), linesBelow(desk, step, asked)];
  if (!isTick(field) && !isChoice(field) && !isList(field)) {
    const typed = await editLine(desk, {
      above,
      below,
      signal,
      value: typeof value === "string" || typeof value === "number" ? String(value) : "",
      secret: field.type === "secret",
      multiline: field.type === "textarea",
    });
    return typeof typed === "string" ? typed : { value: fromText(field, typed.text) };
  }
  const options = optionsOf(step);
  const given = isBlank(value) ? undefined : value;
  const isChosen = (one: unknown) => (Array.isArray(given) ? given.includes(one) : given === one);
  const chosen = options.flatMap((option, at) => (isChosen(option.value) ? [at] : []));
  const many = isList(field);
  const picked = await pick(desk, { above, below, options, many, chosen, signal });
  if (typeof picked === "string") return picked;
  const values = picked.map((at) => options[at]?.value);
  return { value: many ? values : values[0] };
}

function optionsOf({
  field,
}: FieldStep): { value: unknown; label: string; description?: string }[] {
  if (isTick(field)) {
    return [
      { value: true, label: "Yes" },
      { value: false, label: "No" },
    ];
  }
  const options = field.options ?? [];
  const none = { value: undefined, label: "Leave it empty" };
  return field.required || isList(field) ? options : [...options, none];
}

function linesAbove(desk: Desk, { field, section }: FieldStep, asked: Asked): string[] {
  const paper = paperOf(desk);
  const { style } = paper;
  const isFirst = section?.fields[0]?.id === field.id;
  const optional = section?.optional ? " (you may leave this section empty)" : "";
  const title = `${section?.title ?? ""}${optional}`.trim();
  return [
    ...(title === "" ? [] : quoted(title, paper, style.cyan)),
    ...(isFirst && section?.description ? quoted(section.description, paper, style.dim) : []),
    ...quoted(`${field.label}${field.required ? " (needed)" : ""}`, paper, style.bold),
    ...(field.description ? quoted(field.description, paper, style.dim) : []),
    ...progressLines(asked, paper),
  ];
}

function linesBelow(desk: Desk, { field }: FieldStep, { at, error }: Asked): string[] {
  const paper = paperOf(desk);
  const shape = shapeOf(field);
  const picks = isTick(field) || isChoice(field) || isList(field);
  const back = at > 0 ? ` · ${picks ? "Shift+Tab" : "↑"} field before` : "";
  const newLine = field.type === "textarea" ? " · Alt+Enter new line" : "";
  const ways = picks ? waysToPick(isList(field)) : "Enter goes on";
  return [
    ...(error === undefined ? [] : quoted(error, paper, paper.style.red)),
    ...(shape === "" ? [] : quoted(shape, paper, paper.style.dim)),
    ...hint(`${ways}${newLine}${back} · Esc other ways`, paper),
  ];
}
