export interface DiffLine {
  kind: "added" | "removed" | "same" | "note";
  text: string;
}

/** Above this many pairs of lines the whole is shown as removed and added: it stays quick and true. */
const MOST_PAIRS = 1_000_000;

/** The lines of two texts, with those that both have in common kept together (longest common part). */
export function diffLines(before: string, after: string): DiffLine[] {
  const [a, b] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (
    end < a.length - start &&
    end < b.length - start &&
    a[a.length - 1 - end] === b[b.length - 1 - end]
  ) {
    end++;
  }
  const same = (lines: string[]): DiffLine[] => lines.map((text) => ({ kind: "same", text }));
  return [
    ...same(a.slice(0, start)),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...same(a.slice(a.length - end)),
  ];
}

function middle(a: string[], b: string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: "removed", text });
  const added = (text: string): DiffLine => ({ kind: "added", text });
  if (a.length * b.length > MOST_PAIRS) return [...a.map(removed), ...b.map(added)];
  // longest[i][j]: how many lines a[i…] and b[j…] have in common, in order.
  const longest = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  const at = (i: number, j: number) => longest[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = longest[i];
      if (row) row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left = "", right = ""] = [a[i], b[j]];
    if (i < a.length && j < b.length && left === right) {
      lines.push({ kind: "same", text: left });
      i++;
      j++;
    } else if (i < a.length && (j === b.length || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(removed(left));
      i++;
    } else {
      lines.push(added(right));
      j++;
    }
  }
  return lines;
}

export function patchLines(patch: string): DiffLine[] {
  return patch.split("\n").map((line) => {
    if (/^(\+\+\+|---|@@|diff |index )/.test(line)) return { kind: "note", text: line };
    if (line.startsWith("+")) return { kind: "added", text: line.slice(1) };
    if (line.startsWith("-")) return { kind: "removed", text: line.slice(1) };
    return { kind: "same", text: line.replace(/^ /, "") };
  });
}
