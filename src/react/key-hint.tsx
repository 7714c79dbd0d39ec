import { visibleText } from "../client/index.ts";

export interface KeyHintProps {
  /** Keys other than the chord, in words. */
  keys: string[] | undefined;
  /** What the chord does, unless a button that decides has the focus. */
  chord: string;
  /** What the button says that has the focus, if it decides. */
  decision: string | undefined;
}

/** What keys do now: with the focus on a button that decides, the chord presses that one. */
export function KeyHint({ keys, chord, decision = chord }: KeyHintProps) {
  const said = [...(keys ?? []), `Ctrl+Enter ${decision}`, "Esc leaves a field"];
  return <p className="bk-keys">{visibleText(said.join(" · "))}</p>;
}
