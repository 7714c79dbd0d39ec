const FIELD_TYPES = ["text", "textarea", "number", "boolean", "checkbox", "select"].concat([
  "multiselect",
  "radio",
  "date",
  "time",
  "datetime",
  "secret",
]);
const WITH_OPTIONS = new Set(["checkbox", "select", "multiselect", "radio"]);
/** Ids that are taken, or that the server refuses because they reach a prototype. */
const NO_IDS = new Set([...FIELD_TYPES, "__proto__", "constructor", "prototype"]);

/**
 * One prompt for each way to ask, with the same text in everything of it that is shown. `marked`
 * puts the name of the field before it.
 */
export function hostileRequest(kind, text, marked) {
  const say = (field, limit = 20_000) => short(marked ? `«${field}»${text}` : text, limit);
  return { ...shared(say), ...KINDS[kind](say, text) };
}

const KINDS = {
  approval: (say) => ({
    type: "approval",
    kind: say("kind", 64),
    title: say("title"),
    editable: true,
    changes: [
      {
        path: say("changes.path"),
        kind: "move",
        to: say("changes.to"),
        oldText: say("changes.oldText"),
        // Not as many lines: words that are marked would stand in pieces.
        newText: `${say("changes.newText")}\nmore`,
      },
      { path: "a", kind: "edit", diff: `@@\n+${say("changes.diff")}` },
    ],
    approvalScopes: ["once", "session", "always"],
    approvalCovers: {
      session: [say("approvalCovers.session")],
      always: [say("approvalCovers.always")],
    },
  }),
  choice: (say) => ({
    type: "approval",
    approvalOptions: [
      {
        id: "yes",
        label: say("approvalOptions.label"),
        decision: "approve",
        covers: [say("approvalOptions.covers")],
      },
      { id: "no", label: `${say("approvalOptions.label")} (no)`, decision: "deny" },
    ],
  }),
  link: (say) => ({ type: "input", link: { url: `https://example.com/?${say("link.url")}` } }),
  questions: (say) => ({
    type: "input",
    presentation: "questionnaire",
    questions: [question(say, false), question(say, true)],
  }),
  form: (say, text) => ({
    type: "input",
    fieldErrors: { text: say("fieldErrors"), textarea: say("fieldErrors") },
    inputSchema: {
      type: "form",
      title: say("inputSchema.title"),
      description: say("inputSchema.description"),
      submitLabel: say("inputSchema.submitLabel"),
      cancelLabel: say("inputSchema.cancelLabel"),
      initialValues: { textarea: say("inputSchema.initialValues") },
      sections: [
        {
          id: "all",
          title: say("inputSchema.sections.title"),
          description: say("inputSchema.sections.description"),
          fields: fields(say, short(text, 64)),
        },
      ],
    },
  }),
};

const shared = (say) => ({
  prompt: say("prompt"),
  error: say("error"),
  context: {
    title: say("context.title"),
    description: say("context.description"),
    reason: say("context.reason"),
    blockedPath: say("context.blockedPath"),
    askedBy: say("context.askedBy"),
  },
  completedView: {
    showInputs: true,
    summaryTemplate: `${say("completedView.summaryTemplate")} {{action}} {{input.text}}`,
  },
});

function fields(say, id) {
  const all = FIELD_TYPES.map((type) => field(type, type, say));
  return NO_IDS.has(id) ? all : [...all, field(id, "text", say)];
}

const FIELD = "inputSchema.sections.fields";

const field = (id, type, say) => ({
  id,
  type,
  label: say(`${FIELD}.label`),
  description: say(`${FIELD}.description`),
  placeholder: say(`${FIELD}.placeholder`),
  defaultValue: say(`${FIELD}.defaultValue`),
  ...(WITH_OPTIONS.has(type) && { options: [option(say)] }),
});

const option = (say) => ({
  value: say(`${FIELD}.options.value`),
  label: say(`${FIELD}.options.label`),
  description: say(`${FIELD}.options.description`),
});

const question = (say, multiSelect) => ({
  header: say("header", 12),
  question: say("questions.question"),
  multiSelect,
  options: ["", " (2)"].map((end) => ({
    label: say("questions.options.label") + end,
    description: say("questions.options.description"),
    preview: say("questions.options.preview"),
  })),
});

/** Cut where a whole character ends. */
const short = (text, characters) => Array.from(text).slice(0, characters).join("");
