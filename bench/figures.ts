import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** One line of the report: what Beckon took, what the reference took in the same run, the target. */
export interface Figure {
  beckon: number;
  bare: number;
  ratio: number;
  /** `< 50` is about Beckon's own figure, `≤ 1.5 ×` about the ratio. */
  target: string;
  met: boolean;
}

/** @param target what Beckon's figure has to stay under */
export function compare(beckon: number[], bare: number[], target: number): Figure {
  const figures = medians(beckon, bare);
  return { ...figures, target: `< ${target}`, met: figures.beckon < target };
}

/** @param target how many times the reference's figure Beckon's may be */
export function compareRatio(beckon: number[], bare: number[], target: number): Figure {
  const figures = medians(beckon, bare);
  return { ...figures, target: `≤ ${target} ×`, met: figures.ratio <= target };
}

function medians(beckon: number[], bare: number[]) {
  const [ours, reference] = [median(beckon), median(bare)];
  return { beckon: rounded(ours), bare: rounded(reference), ratio: rounded(ours / reference) };
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** Gives `work` a data directory of its own, gone afterwards. */
export async function withDirectory<Result>(work: (path: string) => Promise<Result>) {
  const path = await mkdtemp(join(tmpdir(), "beckon-bench-"));
  try {
    return await work(path);
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}
