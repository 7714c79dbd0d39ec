import { choicesOf, readField, readOne, readQuestion } from "./read-answer.js";
import { styled } from "./say.js";

const DECISIONS = [
  { value: "approve", label: "Approve" },
  { value: "deny", label: "Deny" },
];

/**
 * Shows a prompt in a terminal and reads the answer, one field after another.
 *
 * @param {import("./terminal.js").Terminal} terminal
 * @param {(secret: string) => void} onSecret
 * @returns {ConstructorParameters<typeof import("./window.js").Window>[0]["decide"]}
 */
export function humanPerson(terminal, onSecret) {
  return async (request, { signal, fieldErrors = request["fieldErrors"] ?? {} }) => {
    terminal.print(`\n${styled("bold", request["prompt"] ?? request["toolName"])}`);
    for (const problem of [request["error"], fieldErrors[""]]) {
      if (problem) terminal.print(styled("yellow", `  ${problem}`));
    }
    if (request["interactionType"] === "approval") {
      showChoices(DECISIONS);
      return { action: String(await read((text) => readOne(DECISIONS, text))) };
    }
    const input = request["questions"]
      ? { answers: await readQuestions(request["questions"]) }
      : await readForm(request["inputSchema"]);
    return { action: "submit", input };

    /** @param {any[]} questions */
    async function readQuestions(questions) {
      /** @type {Record<string, unknown>} */
      const answers = {};
      for (const [index, question] of questions.entries()) {
        const several = question.multiSelect ? ", several with commas" : "";
        terminal.print(`  ${question.question} ${styled("dim", `(or your own words${several})`)}`);
        showChoices(question.options);
        answers[index] = await read((text) => readQuestion(question, text));
      }
      return answers;
    }

    /** @param {Record<string, any>} schema */
    async function readForm({ fields, initialValues = {} }) {
      /** @type {Record<string, unknown>} */
      const input = {};
      for (const field of fields) {
        const before = initialValues[field.id] ?? field.defaultValue;
        const hint = hintOf(field, before);
        terminal.print(`  ${field.label}${hint && ` ${styled("dim", `(${hint})`)}`}`);
        if (fieldErrors[field.id]) terminal.print(styled("yellow", `  ${fieldErrors[field.id]}`));
        showChoices(choicesOf(field));
        const secret = field.type === "secret";
        const value = await read((text) => readField(field, text, before), secret);
        if (secret) onSecret(String(value));
        if (value !== undefined) input[field.id] = value;
      }
      return input;
    }

    /** @param {{ label: string }[]} choices */
    function showChoices(choices) {
      for (const [index, { label }] of choices.entries()) {
        terminal.print(`    ${index + 1}  ${label}`);
      }
    }

    /**
     * @param {(text: string) => import("./read-answer.js").Reading} parse
     * @param {boolean} [secret]
     */
    async function read(parse, secret = false) {
      for (;;) {
        const reading = parse(await terminal.ask({ signal, secret }));
        if ("value" in reading) return reading.value;
        terminal.print(styled("yellow", `  ${reading.problem}`));
      }
    }
  };
}

/** @param {Record<string, any>} field @param {unknown} before */
function hintOf({ type, placeholder, required }, before) {
  if (before !== undefined) return `Enter keeps ${JSON.stringify(before)}`;
  if (type === "secret") return "not shown while you type";
  if (placeholder) return `for example ${placeholder}`;
  return required ? "" : "may be empty";
}
