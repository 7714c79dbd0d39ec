import { expect } from "vitest";
import type { Field, InputSchema } from "../../src/protocol/index.ts";
import type { Client, EventOf } from "./client.ts";
import { askingTool, echo, formOf } from "./tools.ts";
import { verifies } from "./verifies.ts";
import type { World } from "./world.ts";

/** Shows the form that it is called with. */
const form = askingTool<{ inputSchema: InputSchema; prompt?: string }>("form", (args) => ({
  ...args,
  type: "input",
  onResponse: echo,
}));

async function show(world: World, inputSchema: InputSchema, more: Record<string, unknown> = {}) {
  const { session, client } = await world.conversation();
  await client.say(session.id, `/call form ${JSON.stringify({ inputSchema, ...more })}`);
  return { session, client, request: await client.event("interaction_request") };
}

/** Every bad input is refused for exactly these fields; then the good one is taken as it is. */
async function checkForm(
  client: Client,
  request: EventOf<"interaction_request">,
  { good, bad }: { good: object; bad: [input: object, ...fields: string[]][] },
): Promise<void> {
  for (const [input, ...fields] of bad) {
    const reply = await client.answer(request, { action: "submit", input });
    expect(reply, JSON.stringify(input)).toMatchObject({ ok: false, code: "invalid_response" });
    expect(Object.keys(reply["fieldErrors"]), JSON.stringify(input)).toEqual(fields);
  }
  expect(await client.answer(request, { action: "submit", input: good })).toMatchObject({
    ok: true,
  });
  const result = await client.event("tool_result");
  expect(result.payload.result).toEqual({ action: "submit", input: good });
}

const options = [
  { value: "r", label: "Red", description: "Like a rose" },
  { value: "b", label: "Blue" },
];
const WRITTEN: InputSchema = {
  type: "form",
  title: "About the trip",
  description: "All of it",
  fields: [
    { id: "to", type: "text", label: "To", description: "A city", placeholder: "Rome" },
    { id: "days", type: "number", label: "Days", defaultValue: 3, min: 1, max: 9, step: 1 },
    { id: "colour", type: "radio", label: "Colour", options, required: true },
    { id: "note", type: "textarea", label: "Note", minLength: 1, maxLength: 9, pattern: "^a" },
  ],
  submitLabel: "Book",
  cancelLabel: "No trip",
  initialValues: { to: "Paris" },
};

verifies(
  "ask:as-written",
  "the prompt and its form reach clients as the tool gave them",
  { tools: [form] },
  async (world) => {
    const { request } = await show(world, WRITTEN, { prompt: "Where to?" });
    expect(request.payload).toMatchObject({ interactionType: "input", prompt: "Where to?" });
    expect(request.payload.inputSchema).toEqual(WRITTEN);
    const { body } = await world.http("GET", `/api/interactions/${request.payload.interactionId}`);
    expect(body.request).toEqual(request.payload);
  },
);

/** One field a row: its type, what more it says, values that fit, values that do not. */
const TYPES: [Field["type"], Partial<Field>, good: unknown[], bad: unknown[]][] = [
  ["text", { minLength: 2, maxLength: 3, pattern: "[a-c]+" }, ["ab", "abc"], ["a", "abca", "xyz"]],
  ["textarea", {}, ["a\nb", " "], [1, true, ["a"], {}]],
  ["number", { min: 1, max: 2, step: 0.5 }, [1, 1.5, 2], [0.5, 2.5, 1.2, "1", true]],
  ["boolean", {}, [true, false], ["true", 0, 1]],
  ["checkbox", {}, [true, false], ["on", 1]],
  ["checkbox", { options }, [["r"], ["b", "r"]], [true, "r", ["x"], ["r", "r"]]],
  ["select", { options }, ["r", "b"], ["Red", "x", ["r"], 1]],
  ["radio", { options }, ["r"], ["x", {}]],
  ["multiselect", { options }, [["r"], ["r", "b"]], ["r", ["r", "x"], ["r", "r"], [1]]],
  [
    "date",
    { min: "2028-01-01", max: "2028-12-31" },
    ["2028-02-29"],
    ["2027-12-31", "2029-01-01", "2028-02-30", "29.2.2028", 5],
  ],
  ["time", { min: "08:00" }, ["08:00", "23:59:59"], ["07:59", "24:00", "8:00", "noon", 8]],
  [
    "datetime",
    {},
    ["2028-02-29T10:00", "2028-02-29T10:00:00.123Z"],
    ["2028-02-30T10:00", "2028-02-29", "2028-02-29 10:00", 0],
  ],
];

for (const [type, more, good, bad] of TYPES) {
  verifies(
    ["ask:checked", "ask:field-types"],
    `${type}${more.options ? " with options" : ""}: what fits is taken, what does not is refused`,
    { tools: [form], latency: false },
    async (world) => {
      const fields = good.map((_value, index) => ({
        id: `f${index}`,
        type,
        label: "L",
        required: true,
        ...more,
      }));
      const { client, request } = await show(world, formOf(...fields));
      const input = Object.fromEntries(good.map((value, index) => [`f${index}`, value]));
      await checkForm(client, request, {
        good: input,
        bad: bad.map((value) => [{ ...input, f0: value }, "f0"]),
      });
    },
  );
}

verifies(
  ["ask:checked", "ask:field-types"],
  "required means given: empty text, an empty list and nothing are not; false and 0 are",
  { tools: [form] },
  async (world) => {
    const { client, request } = await show(
      world,
      formOf(
        { id: "name", type: "text", label: "Name", required: true },
        { id: "many", type: "multiselect", label: "Many", required: true, options },
        { id: "count", type: "number", label: "Count", required: true },
        { id: "sure", type: "boolean", label: "Sure", required: true },
        { id: "note", type: "text", label: "Note" },
      ),
    );
    await checkForm(client, request, {
      good: { name: "n", many: ["r"], count: 0, sure: false },
      bad: [
        [{}, "name", "many", "count", "sure"],
        [{ name: "", many: [], count: 0, sure: false }, "name", "many"],
        [{ name: "n", many: ["r"], count: null, sure: false }, "count"],
        [{ name: "n", many: ["r"], count: 0, sure: false, other: "x" }, "other"],
      ],
    });
  },
);

verifies(
  ["ask:as-written", "ask:checked"],
  "sections: an optional one may be left out as a whole, but not half",
  { tools: [form] },
  async (world) => {
    const text = (id: string): Field => ({ id, type: "text", label: id, required: true });
    const sections = [
      { id: "who", title: "Who", fields: [text("name")] },
      { id: "card", title: "Card", optional: true, fields: [text("number"), text("code")] },
    ];
    for (const good of [{ name: "n" }, { name: "n", number: "1", code: "2" }]) {
      const { client, request } = await show(world, { type: "form", sections });
      expect(request.payload.inputSchema?.sections).toEqual(sections);
      await checkForm(client, request, {
        good,
        bad: [
          [{}, "name"],
          [{ number: "1", code: "2" }, "name"],
          [{ name: "n", number: "1" }, "code"],
          [{ name: "n", number: "", code: "2" }, "number"],
        ],
      });
    }
  },
);
