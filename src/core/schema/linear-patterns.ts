import { RE2JS } from "re2js";
import { LIMITS } from "../../protocol/index.ts";
import { patternSize, patternWeight } from "./pattern-size.ts";

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

/** Compiled patterns are kept: those used last, up to so much room together. */
const KEPT_ROOM = 5 * LIMITS.patternSizePerForm;
const kept = new Map<string, { pattern: Pattern; room: number }>();
let keptRoom = 0;

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
    return known.pattern;
  }
  const weight = patternWeight(source);
  if (weight > LIMITS.patternSize) {
    throw new UnusablePattern(
      `is too large: it stands for about ${weight} steps, at most ${LIMITS.patternSize} are allowed; lower its counts, use fewer classes, or use maxLength`,
    );
  }
  const pattern = { size: patternSize(source), ...compile(source) };
  keep(source, pattern, weight + source.length);
  return pattern;
}

/** @param room instructions, and characters: a class of a thousand of these is one instruction */
function keep(source: string, pattern: Pattern, room: number): void {
  kept.set(source, { pattern, room });
  keptRoom += room;
  for (const [oldest, { room: freed }] of kept) {
    if (keptRoom <= KEPT_ROOM) break;
    kept.delete(oldest);
    keptRoom -= freed;
  }
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
