import { defineTool } from "../../../core/index.ts";
import type { InputSchema } from "../../../protocol/index.ts";
import { refusalOf } from "../refusal.ts";

const options = (...labels: string[]) =>
  labels.map((label) => ({ value: label.toLowerCase(), label }));

/** Every type of field but `secret`, which has a card of its own: see `tour_secret`. */
const form: InputSchema = {
  type: "form",
  title: "Plan a release",
  description: "Every kind of field that a tool can ask for.",
  sections: [
    {
      id: "what",
      title: "What",
      fields: [
        {
          id: "name",
          type: "text",
          label: "Name",
          description: "The tool wants a number in it, and will ask again without one.",
          required: true,
          maxLength: 40,
        },
        { id: "notes", type: "textarea", label: "Notes", placeholder: "What is new?" },
        { id: "servers", type: "number", label: "Servers", min: 1, max: 20, step: 1 },
        { id: "announce", type: "boolean", label: "Announce it" },
        { id: "checked", type: "checkbox", label: "The changelog is written" },
      ],
    },
    {
      id: "where",
      title: "Where and when",
      optional: true,
      fields: [
        {
          id: "region",
          type: "select",
          label: "Region",
          options: options("Europe", "America", "Asia"),
        },
        {
          id: "teams",
          type: "multiselect",
          label: "Tell these teams",
          options: options("Support", "Sales", "Docs"),
        },
        {
          id: "speed",
          type: "radio",
          label: "How fast",
          options: [
            { value: "slow", label: "Slowly", description: "One server an hour" },
            { value: "fast", label: "All at once" },
          ],
        },
        { id: "day", type: "date", label: "Day" },
        { id: "hour", type: "time", label: "Hour" },
        { id: "freeze", type: "datetime", label: "Freeze from" },
      ],
    },
  ],
  submitLabel: "Plan it",
  cancelLabel: "Not now",
  initialValues: { name: "Spring", servers: 3, announce: true, region: "europe", speed: "slow" },
};

/** A long form, checked by its tool, which shows it again with what was typed. */
export const tourForm = defineTool({
  name: "tour_form",
  description: "Part of /tour: a form with every kind of field, which is asked again once.",
  version: "1",
  durable: "replay",
  parameters: { type: "object", properties: {}, additionalProperties: false },
  handler: (_args, ctx) =>
    ctx.requestInteraction({
      type: "input",
      prompt: "How should the release go?",
      inputSchema: form,
      timeoutMs: null,
      completedView: { showInputs: true },
      onResponse(response) {
        const refusal = refusalOf(response);
        if (refusal) return { complete: refusal };
        const { input = {} } = response;
        if (/\d/.test(String(input["name"]))) return { complete: { ok: true, plan: input } };
        return {
          reprompt: {
            type: "input",
            prompt: "How should the release go?",
            inputSchema: { ...form, initialValues: input },
            error: "The name needs a number. Everything else is as you typed it.",
            fieldErrors: { name: "Put a number into it, such as “Spring 2”." },
          },
        };
      },
    }),
});
