/** One line of the report: what Beckon took, what the reference took in the same run, the target. */
export interface Figure {
  what: string;
  /** What stands beside it. */
  reference: string;
  unit: string;
  /** Medians of the rounds. */
  beckon: number;
  bare: number;
  /** How many times as good the reference was: Beckon over bare, or bare over Beckon for a rate. */
  ratio: number;
  target: string;
  /** Null where nothing is aimed at. */
  met: boolean | null;
  /** The least and the most of the rounds. */
  spread: { beckon: Range; bare: Range };
  /** What another checkout took in the same rounds, if it took part. */
  against?: Against;
}

interface Against {
  value: number;
  spread: Range;
  /** Ours over theirs: the median of the rounds, and the least and the most of them. */
  ratio: number;
  ratios: Range;
}

export type Figures = Record<string, Figure>;

type Range = [least: number, most: number];

interface Measured {
  beckon: number;
  bare: number;
  ratio: number;
  spread: Figure["spread"];
}

export interface Target {
  words: string;
  isMet(measured: Measured): boolean | null;
}

/** How many times the reference's figure Beckon's may be. */
export function atMost(times: number): Target {
  return { words: `≤ ${times} ×`, isMet: ({ ratio }) => ratio <= times };
}

/** What Beckon's own figure has to stay under. */
export function under(limit: number): Target {
  return { words: `< ${limit}`, isMet: ({ beckon }) => beckon < limit };
}

/** What Beckon's own figure may be, and no more. */
export function upTo(limit: number): Target {
  return { words: `≤ ${limit}`, isMet: ({ beckon }) => beckon <= limit };
}

/** How much more than the reference it may be. */
export function beyondBare(limit: number): Target {
  return { words: `< bare + ${limit}`, isMet: ({ beckon, bare }) => beckon - bare < limit };
}

/** No further from the reference than the rounds of either are from each other. */
export const withinSpread: Target = {
  words: "within the spread",
  isMet({ beckon, bare, spread }) {
    const wide = ([least, most]: Range) => most - least;
    return beckon - bare <= Math.max(wide(spread.beckon), wide(spread.bare));
  },
};

export const noTarget: Target = { words: "none", isMet: () => null };

export function figure(of: {
  what: string;
  reference: string;
  unit: string;
  /** One value a round. */
  beckon: number[];
  bare: number[];
  /** @default nothing, when no other checkout took part */
  rival?: number[];
  target: Target;
  /** More is better, as with what is done in a second. */
  isRate?: boolean;
}): Figure {
  const { what, reference, unit, target, rival = [], isRate = false } = of;
  const [beckon, bare] = [median(of.beckon), median(of.bare)];
  const ratio = isRate ? bare / beckon : beckon / bare;
  const spread = { beckon: rangeOf(of.beckon), bare: rangeOf(of.bare) };
  const met = target.isMet({ beckon, bare, ratio, spread });
  return {
    what,
    reference,
    unit,
    beckon: rounded(beckon),
    bare: rounded(bare),
    ratio: rounded(ratio),
    target: target.words,
    met,
    spread: { beckon: roundedRange(spread.beckon), bare: roundedRange(spread.bare) },
    ...(rival.length > 0 && { against: compare(of.beckon, rival) }),
  };
}

function compare(ours: number[], theirs: number[]): Against {
  const ratios = ours.map((value, round) => value / (theirs[round] ?? Number.NaN));
  return {
    value: rounded(median(theirs)),
    spread: roundedRange(rangeOf(theirs)),
    ratio: rounded(median(ratios)),
    ratios: roundedRange(rangeOf(ratios)),
  };
}

function rangeOf(values: number[]): Range {
  return [Math.min(...values), Math.max(...values)];
}

function roundedRange([least, most]: Range): Range {
  return [rounded(least), rounded(most)];
}

/** To three digits. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3));
}

export function median(values: number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  if (below === undefined || above === undefined) return Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}
