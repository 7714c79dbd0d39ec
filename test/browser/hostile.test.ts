import { expect, test } from "vitest";
import { endHostileSession, openHostileSession } from "./support/hostile.ts";
import { browserTests } from "./support/index.ts";

const at = browserTests();

/** Where a text stands in a value, as paths without numbers: `request.questions.options.label`. */
function placesOf(value: unknown, text: string, path = ""): string[] {
  if (typeof value === "string") return value.includes(text) ? [path] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const step = Array.isArray(value) ? path : `${path}.${key === text ? "KEY" : key}`;
    return placesOf(inner, text, step);
  });
}

test("a text reaches every field of every kind of prompt, its answers and its results", async () => {
  const text = "NEEDLE";
  const open = await openHostileSession(at.place, text);
  const ended = await endHostileSession(at.place, text);
  const events = [...(await at.place.events(open)), ...(await at.place.events(ended))];
  const places = new Set(
    events.flatMap(({ type, payload }) => placesOf(payload, text).map((path) => type + path)),
  );
  expect([...places].sort()).toMatchInlineSnapshot(`
    [
      "interaction_request.approvalCovers.always",
      "interaction_request.approvalCovers.session",
      "interaction_request.approvalOptions.covers",
      "interaction_request.approvalOptions.label",
      "interaction_request.changes.diff",
      "interaction_request.changes.newText",
      "interaction_request.changes.oldText",
      "interaction_request.changes.path",
      "interaction_request.changes.to",
      "interaction_request.completedView.summaryTemplate",
      "interaction_request.context.askedBy",
      "interaction_request.context.blockedPath",
      "interaction_request.context.cwd",
      "interaction_request.context.description",
      "interaction_request.context.reason",
      "interaction_request.context.title",
      "interaction_request.error",
      "interaction_request.fieldErrors.text",
      "interaction_request.fieldErrors.textarea",
      "interaction_request.inputSchema.cancelLabel",
      "interaction_request.inputSchema.description",
      "interaction_request.inputSchema.initialValues.text",
      "interaction_request.inputSchema.initialValues.textarea",
      "interaction_request.inputSchema.sections.description",
      "interaction_request.inputSchema.sections.fields.defaultValue",
      "interaction_request.inputSchema.sections.fields.description",
      "interaction_request.inputSchema.sections.fields.id",
      "interaction_request.inputSchema.sections.fields.label",
      "interaction_request.inputSchema.sections.fields.options.description",
      "interaction_request.inputSchema.sections.fields.options.label",
      "interaction_request.inputSchema.sections.fields.options.value",
      "interaction_request.inputSchema.sections.fields.placeholder",
      "interaction_request.inputSchema.sections.title",
      "interaction_request.inputSchema.submitLabel",
      "interaction_request.inputSchema.title",
      "interaction_request.kind",
      "interaction_request.link.url",
      "interaction_request.prompt",
      "interaction_request.questions.header",
      "interaction_request.questions.options.description",
      "interaction_request.questions.options.label",
      "interaction_request.questions.options.preview",
      "interaction_request.questions.question",
      "interaction_request.title",
      "interaction_request.toolInput.text",
      "interaction_response.input.answers.0",
      "interaction_response.input.answers.1",
      "interaction_response.input.text",
      "interaction_response.input.textarea",
      "interaction_response.reason",
      "text.text",
      "tool_call.input.text",
      "tool_result.error.message",
      "tool_result.result.KEY",
      "tool_result.result.KEY.text",
      "tool_result.result.input.answers.0",
      "tool_result.result.input.answers.1",
      "tool_result.result.input.text",
      "tool_result.result.input.textarea",
      "tool_result.result.message",
      "tool_result.result.reason",
      "user_message.text",
    ]
  `);
  const { title, cwd } = await at.place.get(`/api/sessions/${open}`);
  expect([title, cwd]).toEqual([text, text]);
});
