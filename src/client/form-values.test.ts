import { describe, expect, test } from "vitest";
import type { Field, InputSchema, InteractionRequest } from "../protocol/index.ts";
import {
  findErrors,
  fromText,
  isFilled,
  secretFieldIds,
  startValues,
  submitLabel,
  toInput,
  valueInWords,
} from "./form-values.ts";

const options = [
  { value: "s", label: "Small" },
  { value: "l", label: "Large" },
];
const name: Field = { id: "name", type: "text", label: "Name", required: true };
const size: Field = { id: "size", type: "multiselect", label: "Size", options };
const count: Field = { id: "count", type: "number", label: "Count" };
const gift: Field = { id: "gift", type: "boolean", label: "A gift" };
const card: Field = { id: "card", type: "secret", label: "Card", defaultValue: "never" };

function requestOf(schema: Partial<InputSchema>): InteractionRequest {
  return { inputSchema: { type: "form", ...schema } } as InteractionRequest;
}

describe("what a form begins with", () => {
  const request = requestOf({
    fields: [name, size, count, gift, card],
    initialValues: { name: "suggested", count: 3 },
  });

  test("what was typed before wins over what the tool suggests", () => {
    expect(startValues({ request, kept: { name: "typed" } })).toMatchObject({ name: "typed" });
  });

  test("what the tool suggests wins over what the attempt before was given", () => {
    const values = startValues({ request, previous: { name: "given", size: ["s"] } });
    expect(values).toMatchObject({ name: "suggested", size: ["s"] });
  });

  test("every field has a value of its own kind, and a secret one has none", () => {
    expect(startValues({ request })).toEqual({
      name: "suggested",
      size: [],
      count: "3",
      gift: false,
      card: "",
    });
  });

  test("a field may be called like something that every object has", () => {
    const request = requestOf({ fields: [{ ...name, id: "constructor" }] });
    expect(startValues({ request })).toEqual({ constructor: "" });
  });
});

test("what was left empty is not sent, and a number is sent as a number", () => {
  const values = { name: "", size: [], count: "7", gift: false };
  expect(toInput([name, size, count, gift], values)).toEqual({ count: 7, gift: false });
});

test.each([
  [count, "12.5", 12.5],
  [count, "many", "many"],
  [count, " ", " "],
  [name, "12", "12"],
])("text that was typed becomes the value of its field", (field, text, value) => {
  expect(fromText(field, text)).toBe(value);
});

test("what is missing and what is no number is told without the server", () => {
  expect(findErrors([name, count], { name: "", count: "many" })).toEqual({
    name: "This is required.",
    count: "This must be a number.",
  });
});

test("a section in which nothing is ticked or typed is not filled in", () => {
  const section = { id: "more", fields: [name, gift] };
  expect(isFilled(section, { name: "", gift: false })).toBe(false);
  expect(isFilled(section, { name: "", gift: true })).toBe(true);
});

test.each([
  [size, ["s", "l"], "Small, Large"],
  [gift, true, "Yes"],
  [gift, false, "No"],
  [name, "", "–"],
  [card, "4111", "••••••"],
  [count, 7, "7"],
])("a value is read in words", (field, value, words) => {
  expect(valueInWords(field, value)).toBe(words);
});

test("secret fields are found in sections too", () => {
  const schema: InputSchema = {
    type: "form",
    fields: [name],
    sections: [{ id: "pay", fields: [card] }],
  };
  expect(secretFieldIds(schema)).toEqual(["card"]);
});

test("a form is sent by the word of its asker; one without fields is done", () => {
  expect(submitLabel({ type: "form", fields: [name], submitLabel: "Order" })).toBe("Order");
  expect(submitLabel({ type: "form", fields: [name] })).toBe("Submit");
  expect(submitLabel(undefined)).toBe("Done");
});
