import { expect, test } from "vitest";
import { z } from "zod";
import { EVENT_PAYLOADS, parseEvent, type TransientEvent } from "../../src/protocol/index.ts";
import { ChatEvent } from "../../src/server/openapi/replies.ts";
import { blocksOf, readPage, rowsOf, sectionOf, sectionsOf } from "../support/markdown.ts";
import { fieldsShown, type MarkedName, typeInWords } from "../support/schema-words.ts";

const page = readPage("docs/reference/events.md");
const stored = Object.entries(EVENT_PAYLOADS);

type FieldsOf<Payload> = { [Name in keyof Payload as MarkedName<Payload, Name>]: string };
type Transient = {
  [Event in TransientEvent as Event["type"]]: FieldsOf<Event["payload"]>;
};

/** They have no schema, only a type; this does not compile if it is not that type. */
const TRANSIENT: Transient = {
  text_delta: { blockId: "string", offset: "number", text: "string" },
  tool_call_delta: {
    toolCallId: "string",
    toolName: "string",
    offset: "number",
    text: "string",
  },
  tool_output_delta: { toolCallId: "string", offset: "number", text: "string" },
  session_status: { status: "`idle`, `running`, `waiting`", "model?": "string", "usage?": "any" },
};

test("every type of event has its heading, stored ones and transient ones, and no other", () => {
  const headings = (section: string) => [...sectionsOf(sectionOf(page, section), 3).keys()];
  expect(headings("## Stored events").toSorted()).toEqual(stored.map(([type]) => type).toSorted());
  expect(headings("## Transient events").toSorted()).toEqual(Object.keys(TRANSIENT).toSorted());
});

test.each(stored)("the fields of %s are those of its schema", (type, schema) => {
  expect(fieldsShown(sectionOf(page, `### ${type}`))).toEqual(typeInWords(schema));
});

test.each(Object.entries(TRANSIENT))("the fields of %s are those of its type", (type, fields) => {
  expect(fieldsShown(sectionOf(page, `### ${type}`))).toEqual(fields);
});

test("the envelope is that of every stored event", () => {
  const described = z.toJSONSchema(ChatEvent.options[0] ?? z.never());
  const required = new Set(described.required);
  const names = Object.keys(described.properties ?? {});
  const rows = rowsOf(sectionOf(page, "## The envelope")).map(([name = ""]) => name);
  const marked = names.map((name) => `\`${name}${required.has(name) ? "" : "?"}\``);
  expect(rows.toSorted()).toEqual(marked.toSorted());
});

test.each(stored)("the example of %s is such an event", (type) => {
  const [example = "null", ...more] = blocksOf(sectionOf(page, `### ${type}`), "json");
  const event = parseEvent(JSON.parse(example));
  expect([event.type, more]).toEqual([type, []]);
  const known = Object.keys(EVENT_PAYLOADS[event.type].shape);
  expect(Object.keys(event.payload).filter((name) => !known.includes(name))).toEqual([]);
});

test.each(Object.entries(TRANSIENT))("the example of %s is such an event", (type, fields) => {
  const [example = "null"] = blocksOf(sectionOf(page, `### ${type}`), "json");
  const event = JSON.parse(example) as TransientEvent & { seq?: number };
  expect([event.type, event.seq]).toEqual([type, undefined]);
  const names = Object.keys(fields).map((name) => name.replace("?", ""));
  expect(names).toEqual(expect.arrayContaining(Object.keys(event.payload)));
});
