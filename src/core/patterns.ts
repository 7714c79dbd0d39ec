import { RE2JS } from "re2js";
import { LIMITS } from "../protocol/index.ts";
import { patternSize } from "./pattern-size.ts";

/** A compiled pattern whose time grows only with the text and with its own size. */
export interface Pattern {
  /** Instructions of its program, at most. */
  size: number;
  /** Whether a part of the text fits. */
  findsIn(text: string): boolean;
  /** Whether all of the text fits. */
  matches(text: string): boolean;
}

/** Why a pattern cannot be used, in words that go on from "the pattern". */
export class UnusablePattern extends Error {}

/** Compiled patterns are kept: those used last, up to so many instructions together. */
const KEPT_INSTRUCTIONS = 5 * LIMITS.patternSizePerForm;
const kept = new Map<string, Pattern>();
let keptInstructions = 0;

/** A pattern of a form's field, in the syntax of RE2. */
export function fieldPattern(source: string): Pattern {
  return compiled(source);
}

/** A pattern of a JSON Schema, written for JavaScript. */
export function schemaPattern(source: string): Pattern {
  return compiled(RE2JS.translateRegExp(source));
}

/** The size is judged before anything is compiled: compiling is what takes the time. */
function compiled(source: string): Pattern {
  const known = kept.get(source);
  if (known) {
    kept.delete(source);
    kept.set(source, known);
    return known;
  }
  const size = patternSize(source);
  if (size > LIMITS.patternSize) {
    throw new UnusablePattern(
      `is too large: it stands for about ${size} steps, at most ${LIMITS.patternSize} are allowed; lower its counts, or use maxLength`,
    );
  }
  const pattern = { size, ...compile(source) };
  kept.set(source, pattern);
  keptInstructions += size;
  for (const [oldest, { size: freed }] of kept) {
    if (keptInstructions <= KEPT_INSTRUCTIONS) break;
    kept.delete(oldest);
    keptInstructions -= freed;
  }
  return pattern;
}

function compile(source: string): Omit<Pattern, "size"> {
  let program: RE2JS;
  try {
    program = RE2JS.compile(source);
  } catch (cause) {
    throw new UnusablePattern("cannot be used: it must be a linear-time pattern", { cause });
  }
  return {
    findsIn: (text) => program.matcher(text).find(),
    matches: (text) => program.matches(text),
  };
}
