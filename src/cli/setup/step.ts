/** Something that would be changed, shown before and undone by what it says itself. */
export interface Step {
  /** What it does, in one line. */
  what: string;
  /** What is run or written, line by line. */
  shown: string[];
  apply(): Promise<void>;
  /** How to take it back. */
  undo: string;
}

/** That it is right already, in one line. */
export interface Right {
  right: string;
}
