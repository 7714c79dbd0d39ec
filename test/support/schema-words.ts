import { z } from "zod";
import { rowsOf } from "./markdown.ts";

/** As a page writes the name of a field: with a question mark if it may be missing. */
export type MarkedName<Of, Name extends keyof Of> = Name extends string
  ? Record<string, never> extends Pick<Of, Name>
    ? `${Name}?`
    : Name
  : never;

/** The fields of an object, as the pages name them, with their types in the pages' words. */
export function typeInWords(schema: z.ZodObject): Record<string, string> {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "input" });
  return Object.fromEntries(
    Object.entries(properties).map(([name, type]) => [
      required.includes(name) ? name : `${name}?`,
      inWords(type),
    ]),
  );
}

/** What a page has in its table of fields: name, type, meaning. */
export function fieldsShown(section: string): Record<string, string> {
  const rows = rowsOf(section);
  for (const [name, , means] of rows) {
    if (!means) throw new Error(`The page does not say what ${name} means.`);
  }
  return Object.fromEntries(rows.map(([name = "", type = ""]) => [name.replaceAll("`", ""), type]));
}

type Described = z.core.JSONSchema._JSONSchema;

function inWords(type: Described): string {
  if (typeof type === "boolean") return "any";
  if (type.enum) return type.enum.map((value) => `\`${String(value)}\``).join(", ");
  if (type.anyOf) return type.anyOf.map(inWords).join(" or ");
  const names = [type.type ?? "any"].flat();
  return names.map((name) => (name === "integer" ? "number" : name)).join(" or ");
}
