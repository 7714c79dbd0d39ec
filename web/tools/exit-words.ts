/** What shells and systems mean by these, whichever the command. */
const MEANINGS: Record<number, string> = {
  126: "it could not be run",
  127: "there is no such command",
  130: "it was interrupted",
  137: "it was killed",
  143: "it was told to end",
};

/** How a command ended, in words. */
export function exitWords(exitCode: number): string {
  const meaning = MEANINGS[exitCode];
  return `Exit code ${exitCode}${meaning === undefined ? "" : `: ${meaning}`}`;
}
