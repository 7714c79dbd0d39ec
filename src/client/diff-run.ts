/** Lines next to each other that a change treats alike. */
export interface DiffRun {
  /** `folded`: lines that stay, far from any change. `note`: words of a patch about its lines. */
  kind: "added" | "removed" | "same" | "folded" | "note";
  lines: string[];
  /** Of lines that take the place of others: which of their words differ. */
  words?: (LinePiece[] | undefined)[];
}

/** A piece of a line that a change leaves as it is, or touches. */
export interface LinePiece {
  text: string;
  isChanged: boolean;
}
