/**
 * Between what a person types and what a field takes. Pure: no terminal in here.
 *
 * @typedef {{ value: unknown } | { problem: string }} Reading
 * @typedef {{ value: string, label: string }} Choice
 */

/** @param {Record<string, any>} field @returns {Choice[]} */
export function choicesOf({ type, options }) {
  if (options) return options;
  if (type === "boolean" || type === "checkbox") {
    return [
      { value: "yes", label: "Yes" },
      { value: "no", label: "No" },
    ];
  }
  return [];
}

/**
 * @param {Record<string, any>} field
 * @param {string} text
 * @param {unknown} before what an empty line keeps
 * @returns {Reading}
 */
export function readField(field, text, before) {
  if (text === "") {
    if (before !== undefined) return { value: before };
    return field["required"] ? { problem: "This is needed." } : { value: undefined };
  }
  if (field["type"] === "number") {
    return Number.isFinite(Number(text))
      ? { value: Number(text) }
      : { problem: "This must be a number." };
  }
  const choices = choicesOf(field);
  if (choices.length === 0) return { value: text };
  if (field["type"] === "multiselect" || (field["type"] === "checkbox" && field["options"])) {
    return readSeveral(choices, text);
  }
  const reading = readOne(choices, text);
  if ("problem" in reading || field["options"]) return reading;
  return { value: reading.value === "yes" };
}

/**
 * By its number, its label or its value.
 *
 * @param {Choice[]} choices
 * @param {string} text
 * @returns {Reading}
 */
export function readOne(choices, text) {
  const found =
    choices[Number(text) - 1] ??
    choices.find(({ value, label }) =>
      [value, label, label[0]].some((one) => one?.toLowerCase() === text.toLowerCase()),
    );
  return found ? { value: found.value } : { problem: `Choose 1 to ${choices.length}.` };
}

/** @param {Choice[]} choices @param {string} text @returns {Reading} */
function readSeveral(choices, text) {
  const readings = text.split(",").map((part) => readOne(choices, part.trim()));
  const bad = readings.find((reading) => "problem" in reading);
  return bad ?? { value: readings.map((reading) => "value" in reading && reading.value) };
}

/**
 * A question takes one of its options or one's own words; several, where it says so.
 *
 * @param {Record<string, any>} question
 * @param {string} text
 * @returns {Reading}
 */
export function readQuestion({ options, multiSelect }, text) {
  if (text === "") return { problem: "Every question needs an answer." };
  /** @param {string} part */
  const labelOf = (part) => options[Number(part) - 1]?.label ?? part;
  if (!multiSelect) return { value: labelOf(text) };
  return { value: JSON.stringify(text.split(",").map((part) => labelOf(part.trim()))) };
}
