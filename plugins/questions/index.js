import { brokenRules, ruleProblem } from "./rules.js";

/** The shortest time that a prompt may wait before its call ends without the answer. */
const AT_ONCE_MS = 1_000;

/**
 * @typedef {object} Args
 * @property {string} prompt
 * @property {string} [title]
 * @property {import("beckon/plugin").Field[]} [fields]
 * @property {import("beckon/plugin").Section[]} [sections]
 * @property {Record<string, unknown>} [initialValues]
 * @property {import("./rules.js").Rule[]} [validate]
 * @property {string} [submitLabel]
 * @property {string} [cancelLabel]
 * @property {"sync" | "async"} [mode]
 * @property {number} [timeoutMs]
 */

/** @type {import("beckon/plugin").PluginInstance} */
export default {
  operations: { ask },
};

/**
 * Asks a person to fill in a form.
 *
 * @param {Args} args
 * @param {import("beckon/plugin").OperationContext} ctx
 */
function ask(args, ctx) {
  const { prompt, validate = [], mode = "sync", timeoutMs } = args;
  const fields = fieldsOf(args);
  const later = mode === "async";
  return ctx.requestInteraction({
    type: "input",
    prompt,
    inputSchema: formOf(args),
    // A question is worth keeping until somebody comes.
    whenUnavailable: "wait",
    timeoutMs: timeoutMs ?? (later ? AT_ONCE_MS : null),
    completedView: { showInputs: true },
    onResponse({ action, input = {}, reason }) {
      if (action === "cancel") return { complete: { ok: false, cancelled: true } };
      if (action === "deny") {
        return { complete: { ok: false, declined: true, ...(reason ? { reason } : {}) } };
      }
      const fieldErrors = brokenRules(validate, fields, input);
      if (Object.keys(fieldErrors).length === 0) return { complete: { ok: true, answers: input } };
      return {
        reprompt: { type: "input", error: "Some answers do not go together.", fieldErrors },
      };
    },
    onTimeout: () =>
      later ? { pending: { message: laterMessage(validate) } } : { complete: TIMED_OUT },
  });
}

const TIMED_OUT = { ok: false, timedOut: true };

/** @param {import("./rules.js").Rule[]} rules */
function laterMessage(rules) {
  const unchecked = rules.length > 0 ? " Check it yourself: its rules are not checked then." : "";
  return `The form is waiting for the user. The answer will arrive as a message.${unchecked}`;
}

/**
 * @param {Args} args
 * @returns {import("beckon/plugin").InputSchema}
 */
function formOf({ title, fields, sections, initialValues, submitLabel, cancelLabel }) {
  return {
    type: "form",
    ...(title !== undefined && { title }),
    ...(fields && { fields }),
    ...(sections && { sections }),
    ...(initialValues && { initialValues }),
    ...(submitLabel !== undefined && { submitLabel }),
    ...(cancelLabel !== undefined && { cancelLabel }),
  };
}

/**
 * Every field, and a refusal of what no schema can refuse.
 *
 * @param {Args} args
 */
function fieldsOf({ fields, sections, validate = [] }) {
  if (Boolean(fields) === Boolean(sections)) throw refused("Give either fields or sections.");
  const all = fields ?? (sections ?? []).flatMap((section) => section.fields);
  const problem = validate.map((rule) => ruleProblem(rule, all)).find(Boolean);
  if (problem) throw refused(problem);
  return all;
}

/** @param {string} message */
function refused(message) {
  return Object.assign(new Error(message), { code: "invalid_arguments" });
}
