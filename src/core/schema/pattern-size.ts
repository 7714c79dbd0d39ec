/** One alternative of a group that is being read. */
interface Frame {
  /** Instructions of everything but the last atom. */
  before: number;
  /** Instructions of the last atom, which a quantifier may repeat. */
  last: number;
  /** Instructions of the group itself. */
  own: number;
}

const COUNT = /\{(\d+)(,(\d*))?\}/y;
const LONG_ESCAPE = /\\(?:[pPx]\{[^}]*\}|[pP].|Q[^]*?(?:\\E|$))/y;
const CLASS = /\[\^?\]?(?:\[:[^\]]*:\]|\\[pPx]\{[^}]*\}|\\[^]|[^\]\\])*\]/y;
const GROUP = /\((?:\?P?<[^>]*>|\?[a-zA-Z-]*:?)?/y;

/**
 * How many instructions the program of a pattern would have, at most, without making it: a counted
 * repetition is as many copies, and one inside another multiplies. `.{0,999}` is eight characters
 * and two thousand instructions.
 */
export function patternSize(pattern: string): number {
  const frames: Frame[] = [{ before: 0, last: 0, own: 4 }];
  const add = (size: number) => {
    const frame = frames.at(-1) as Frame;
    frame.before += frame.last;
    frame.last = size;
  };
  const repeat = (change: (size: number) => number) => {
    const frame = frames.at(-1) as Frame;
    frame.last = change(frame.last);
  };
  const close = () => {
    const { before, last, own } = frames.pop() as Frame;
    add(before + last + own);
  };
  for (let index = 0; index < pattern.length;) {
    const take = (expression: RegExp) => {
      expression.lastIndex = index;
      return expression.exec(pattern);
    };
    const character = pattern[index] as string;
    let length = 1;
    if (character === "\\") {
      const long = take(LONG_ESCAPE);
      length = long?.[0].length ?? 2;
      if (long?.[0].startsWith("\\Q")) add(length);
      else add(1);
    } else if (character === "[") {
      length = take(CLASS)?.[0].length ?? 1;
      add(1);
    } else if (character === "(") {
      const group = take(GROUP)?.[0] ?? "(";
      length = group.length;
      // One for an alternative that is empty, two to keep where the group began and ended.
      frames.push({ before: 0, last: 0, own: group.endsWith(":") ? 1 : 3 });
    } else if (character === ")") {
      if (frames.length > 1) close();
    } else if (character === "|") {
      add(2);
      add(0);
    } else if (character === "*" || character === "+") {
      repeat((size) => size + 2);
    } else if (character === "?") {
      repeat((size) => size + 1);
    } else {
      const count = character === "{" ? take(COUNT) : null;
      length = count?.[0].length ?? 1;
      if (count) repeat((size) => repeated(size, count));
      else add(1);
    }
    index += length;
  }
  while (frames.length > 1) close();
  const [{ before, last, own }] = frames as [Frame];
  return before + last + own;
}

/** A property such as \p{L} is a list of hundreds of ranges, which each class that names it takes up. */
const PROPERTY = 150;
/** Without regard to case, each character of a range is looked up: so many in the time of one step. */
const FOLDED_PER_STEP = 30;
/** No character beyond it has another case. */
const LAST_FOLDED = 0x1e943;

const IGNORES_CASE = /\(\?[a-zA-Z-]*i/;
const ESCAPE = /\\([^])/g;
const END_OF_RANGE = /-(?:\\x\{([0-9a-f]+)\}|\\x([0-9a-f]{2})|([^]))/giu;

/**
 * What making the program takes, in instructions: its own, and the ranges of its classes, of which
 * a whole list becomes one instruction. At most; ranges are taken to begin at the first character.
 */
export function patternWeight(pattern: string): number {
  const properties = [...pattern.matchAll(ESCAPE)].filter(([, kind]) => /[pP]/.test(kind ?? ""));
  return patternSize(pattern) + PROPERTY * properties.length + foldedWeight(pattern);
}

function foldedWeight(pattern: string): number {
  if (!IGNORES_CASE.test(pattern)) return 0;
  let characters = 0;
  for (const [, long, short, literal] of pattern.matchAll(END_OF_RANGE)) {
    const last = literal?.codePointAt(0) ?? Number.parseInt(long ?? short ?? "", 16);
    characters += Math.min(last, LAST_FOLDED);
  }
  return Math.ceil(characters / FOLDED_PER_STEP);
}

function repeated(size: number, [, least = "0", range, most]: RegExpExecArray): number {
  const min = Number(least);
  if (range === undefined) return min * size;
  if (most === "" || most === undefined) return Math.max(min, 1) * size + 2;
  return Number(most) * size + Math.max(Number(most) - min, 0);
}
