import { expect, test } from "vitest";
import { z } from "zod";
import { InteractionRequest } from "../../src/protocol/request.ts";
import { endMarkedSession, openMarkedSession } from "./support/hostile.ts";
import { browserTests } from "./support/index.ts";
import { goTo, readPage } from "./support/on-screen.ts";

const at = browserTests();

interface Schema {
  type?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
}

/** Where a prompt can hold a text or anything: `questions.options.label`. */
function textsOf(schema: Schema, path = ""): string[] {
  const { type, properties, additionalProperties: others, items, anyOf = [] } = schema;
  const isText = type === "string" && !schema.enum;
  const inner = Object.entries(properties ?? {}).map(([key, one]) =>
    textsOf(one, path === "" ? key : `${path}.${key}`),
  );
  const values = typeof others === "object" && !properties ? textsOf({ type: "string" }, path) : [];
  const either = anyOf.flatMap((one) => textsOf(one, path));
  const isAnything = type === undefined && anyOf.length === 0;
  return [
    ...(isText || isAnything ? [path] : []),
    ...inner.flat(),
    ...values,
    ...(items ? textsOf(items, path) : []),
    ...either,
  ];
}

test("every text of a prompt is on the page, but for those that this names", async () => {
  const text = "<img src=x onerror=__xss('field')>";
  const ids = await Promise.all([
    openMarkedSession(at.place, text),
    endMarkedSession(at.place, text),
  ]);
  const window = await at.signIn();
  const seen = new Set<string>();
  for (const id of ids) {
    await goTo(window, `#/s/${id}`);
    await window.page.locator("main [data-index]").first().waitFor({ state: "attached" });
    const { texts, markup } = await readPage(window);
    expect(markup).toEqual([]);
    for (const one of texts) {
      for (const [, field = ""] of one.matchAll(/«([\w.]+)»</g)) {
        seen.add(field === "header" ? "questions.header" : field);
      }
    }
  }
  const schema = z.toJSONSchema(InteractionRequest, { io: "input" }) as Schema;
  const all = [...new Set(textsOf(schema))].sort();
  expect(all.filter((field) => seen.has(field))).toMatchInlineSnapshot(`
    [
      "approvalCovers.always",
      "approvalCovers.session",
      "approvalOptions.covers",
      "approvalOptions.label",
      "changes.diff",
      "changes.newText",
      "changes.oldText",
      "changes.path",
      "changes.to",
      "completedView.summaryTemplate",
      "context.askedBy",
      "context.blockedPath",
      "context.description",
      "context.reason",
      "context.title",
      "error",
      "fieldErrors",
      "inputSchema.cancelLabel",
      "inputSchema.description",
      "inputSchema.initialValues",
      "inputSchema.sections.description",
      "inputSchema.sections.fields.defaultValue",
      "inputSchema.sections.fields.description",
      "inputSchema.sections.fields.label",
      "inputSchema.sections.fields.options.description",
      "inputSchema.sections.fields.options.label",
      "inputSchema.sections.fields.options.value",
      "inputSchema.sections.fields.placeholder",
      "inputSchema.sections.title",
      "inputSchema.submitLabel",
      "inputSchema.title",
      "link.url",
      "prompt",
      "questions.header",
      "questions.options.description",
      "questions.options.label",
      "questions.options.preview",
      "questions.question",
      "title",
    ]
  `);
  // Ids and times, bounds that only check, and what the server adds; a new text of the protocol
  // shows up here until `plugin/hostile-requests.js` puts the payloads into it.
  expect(all.filter((field) => !seen.has(field))).toMatchInlineSnapshot(`
    [
      "approvalOptions.id",
      "asker.name",
      "context.cwd",
      "expiresAt",
      "inputSchema.fields.defaultValue",
      "inputSchema.fields.description",
      "inputSchema.fields.id",
      "inputSchema.fields.label",
      "inputSchema.fields.options.description",
      "inputSchema.fields.options.label",
      "inputSchema.fields.options.value",
      "inputSchema.fields.pattern",
      "inputSchema.fields.placeholder",
      "inputSchema.sections.fields.id",
      "inputSchema.sections.fields.pattern",
      "inputSchema.sections.id",
      "inputSchema.type",
      "interactionId",
      "kind",
      "toolCallId",
      "toolInput",
      "toolName",
    ]
  `);
});
