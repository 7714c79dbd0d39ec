/**
 * A rule between two fields of a form. What one field must be by itself, its own limits say.
 *
 * @typedef {object} Rule
 * @property {string} field
 * @property {"equals" | "differs" | "greaterThan" | "lessThan" | "requiredWith"} rule
 * @property {string} other
 * @property {string} [message]
 *
 * @typedef {import("beckon/plugin").Field} Field
 */

/**
 * What is wrong with the answers, by field: the first broken rule of each.
 *
 * @param {Rule[]} rules
 * @param {Field[]} fields
 * @param {Record<string, unknown>} answers
 */
export function brokenRules(rules, fields, answers) {
  /** @type {Record<string, string>} */
  const errors = {};
  for (const rule of rules) {
    if (Object.hasOwn(errors, rule.field) || isKept(rule, answers)) continue;
    const other = fields.find(({ id }) => id === rule.other)?.label ?? rule.other;
    errors[rule.field] = rule.message ?? `This must ${WORDS[rule.rule](other)}.`;
  }
  return errors;
}

/**
 * Why a rule can never be meant; undefined if it can.
 *
 * @param {Rule} rule
 * @param {Field[]} fields
 */
export function ruleProblem({ field, other }, fields) {
  const unknown = [field, other].find((name) => !fields.some(({ id }) => id === name));
  if (unknown !== undefined) return `A rule names the field "${unknown}", which the form lacks.`;
  return field === other ? `A rule compares the field "${field}" with itself.` : undefined;
}

/** @type {Record<Rule["rule"], (other: string) => string>} */
const WORDS = {
  equals: (other) => `be the same as “${other}”`,
  differs: (other) => `be something else than “${other}”`,
  greaterThan: (other) => `be more than “${other}”`,
  lessThan: (other) => `be less than “${other}”`,
  requiredWith: (other) => `be filled in when “${other}” is`,
};

/**
 * @param {Rule} rule
 * @param {Record<string, unknown>} answers
 */
function isKept({ field, rule, other }, answers) {
  const mine = valueOf(answers, field);
  const theirs = valueOf(answers, other);
  if (rule === "requiredWith") return theirs === undefined || mine !== undefined;
  // Whether a field must be filled in is for `required` to say.
  if (rule === "equals" || rule === "differs") {
    if (mine === undefined && theirs === undefined) return true;
    return (JSON.stringify(mine) === JSON.stringify(theirs)) === (rule === "equals");
  }
  if (mine === undefined || theirs === undefined) return true;
  return rule === "greaterThan" ? isMore(mine, theirs) : isMore(theirs, mine);
}

/**
 * Dates and times compare as their text does.
 *
 * @param {unknown} one
 * @param {unknown} other
 */
function isMore(one, other) {
  if (typeof one === "number" && typeof other === "number") return one > other;
  return String(one) > String(other);
}

/**
 * @param {Record<string, unknown>} answers
 * @param {string} id
 */
function valueOf(answers, id) {
  const value = Object.hasOwn(answers, id) ? answers[id] : undefined;
  const isEmpty = value === "" || value === null || (Array.isArray(value) && value.length === 0);
  return isEmpty ? undefined : value;
}
